import { ListFilter } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { SearchInput } from "../../components/data-table/search-input.tsx";
import { DateInput } from "../../components/form/date-input.tsx";
import { Button } from "../../components/ui/button.tsx";
import { OptionSelect } from "../../components/option-select.tsx";
import { text } from "../../lib/text/i18n-source.ts";
import { getLogRange, LOG_RANGES, type LogRange, rangeStartSeconds } from "./log-range.ts";
import { LOG_TYPES } from "./log-types.ts";

/** The log's search parameters. */
export type LogSearch = {
  readonly type?: number | undefined;
  readonly model?: string | undefined;
  readonly token?: string | undefined;
  readonly username?: string | undefined;
  readonly channel?: number | undefined;
  readonly group?: string | undefined;
  readonly request?: string | undefined;
  /** Status or code of failed calls. */
  readonly error?: string | undefined;
  readonly session?: string | undefined;
  readonly range?: LogRange | undefined;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
};

type FiltersProps = {
  readonly search: LogSearch;
  readonly admin: boolean;
  readonly onChange: (change: LogSearch) => void;
};

const ANY_TYPE = "0";
const RANGE_CHOICES: readonly { readonly value: LogRange; readonly label: string }[] = [
  ...LOG_RANGES,
  { value: "all", label: text("全部时间") },
  { value: "custom", label: text("自选时间") },
];

function RangeFilter({ search, onChange }: Omit<FiltersProps, "admin">) {
  const { t } = useTranslation();
  const range = getLogRange(search);
  const choose = (next: LogRange): void => {
    if (next !== "custom") return onChange({ range: next, start: undefined, end: undefined });
    const now = Date.now();
    onChange({ range: next, start: rangeStartSeconds(range, now), end: Math.floor(now / 1000) });
  };
  return (
    <>
      <OptionSelect
        className="h-9 w-[calc(50%-0.25rem)] sm:w-36"
        aria-label={t("时间范围")}
        value={range}
        options={RANGE_CHOICES.map(({ value, label }) => ({ value, label: t(label) }))}
        onValueChange={(value) => choose(RANGE_CHOICES.find((one) => one.value === value)?.value ?? range)}
      />
      {range === "custom" && (
        <>
          <DateInput
            className="w-full sm:w-52"
            aria-label={t("开始时间")}
            seconds={search.start}
            onSecondsChange={(start) => onChange({ start })}
          />
          <DateInput
            className="w-full sm:w-52"
            aria-label={t("结束时间")}
            seconds={search.end}
            onSecondsChange={(end) => onChange({ end })}
          />
        </>
      )}
    </>
  );
}

const ADMIN_FILTERS = [{ key: "username", label: text("用户名") }] as const;
const MORE_FILTERS = [
  { key: "token", label: text("令牌名称") },
  { key: "group", label: text("分组") },
  { key: "request", label: text("请求 ID") },
  { key: "error", label: text("状态码或错误码") },
  { key: "session", label: text("会话 ID") },
] as const;

function MoreFilters({ search, admin, onChange }: FiltersProps) {
  const { t } = useTranslation();
  return (
    <>
      {[...(admin ? ADMIN_FILTERS : []), ...MORE_FILTERS].map(({ key, label }) => (
        <SearchInput
          key={key}
          className="sm:w-44"
          label={t(label)}
          value={search[key] ?? ""}
          onSearch={(value) => onChange({ [key]: value })}
        />
      ))}
      {admin && (
        <SearchInput
          className="sm:w-36"
          label={t("渠道 ID")}
          value={search.channel === undefined ? "" : String(search.channel)}
          onSearch={(value) => onChange({ channel: /^\d+$/.test(value) ? Number(value) : undefined })}
        />
      )}
    </>
  );
}

/** Filters the log. Rare filters are collapsed unless one of them is set. */
export function LogFilters({ search, admin, onChange }: FiltersProps) {
  const { t } = useTranslation();
  const { token, group, request, error, session, username, channel } = search;
  const rareSet = [token, group, request, error, session, username, channel].some((value) => value !== undefined);
  const [open, setOpen] = useState(rareSet);
  return (
    <>
      <RangeFilter search={search} onChange={onChange} />
      <OptionSelect
        className="h-9 w-[calc(50%-0.25rem)] sm:w-32"
        aria-label={t("类型")}
        value={String(search.type ?? ANY_TYPE)}
        options={[
          { value: ANY_TYPE, label: t("全部类型") },
          ...LOG_TYPES.map(({ value, label }) => ({ value: String(value), label: t(label) })),
        ]}
        onValueChange={(value) => onChange({ type: value === ANY_TYPE ? undefined : Number(value) })}
      />
      <SearchInput
        main
        className="sm:w-48"
        label={t("模型名称")}
        value={search.model ?? ""}
        onSearch={(model) => onChange({ model })}
      />
      <Button variant="outline" aria-expanded={open} onClick={() => setOpen(!open)}>
        <ListFilter />
        {t("更多筛选")}
      </Button>
      {open && <MoreFilters search={search} admin={admin} onChange={onChange} />}
    </>
  );
}
