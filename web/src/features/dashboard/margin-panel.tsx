import {
  type Margin,
  MARGIN_DIMENSIONS,
  type MarginDimension,
  type Margins,
} from "@turnpike/contract/api/prices/margin";
import { useQuery } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { Download } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DataColumn } from "../../components/data-table/columns/columns.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { MoneySum } from "../../components/money.tsx";
import { OptionSelect } from "../../components/option-select.tsx";
import { ErrorState } from "../../components/states.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Card, CardAction, CardContent, CardDescription, CardHeader, CardTitle } from "../../components/ui/card.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { formatCount } from "../../lib/text/format.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { marginsAddress, marginsQuery } from "./margin-api.ts";

const DIMENSIONS: Readonly<Record<MarginDimension, string>> = {
  channel: text("按渠道"),
  model: text("按模型"),
  group: text("按分组"),
  user: text("按用户"),
  day: text("按天"),
};
const NAMES: Readonly<Record<MarginDimension, string>> = {
  channel: text("渠道名称"),
  model: text("模型"),
  group: text("分组"),
  user: text("用户"),
  day: text("日期"),
};
const ROWS_SHOWN_MAX = 20;

function getName({ key, name }: Margin, by: MarginDimension, t: TFunction): string {
  if (by === "day") return new Date(Number(key) * 1000).toISOString().slice(0, 10);
  if (by === "channel") return key === "0" ? t("没有渠道") : `#${key} ${name}`;
  return by === "user" ? name : key;
}

/** The margin as a share of what was charged; undefined where nothing was. */
const getShare = ({ margin, known_quota: charged }: Margin): number | undefined =>
  charged === 0 ? undefined : margin / charged;

const formatShare = (share: number | undefined): string => (share === undefined ? "—" : `${(share * 100).toFixed(1)}%`);

const tone = (margin: number): string => (margin < 0 ? "text-destructive" : "");

const marginColumns = (by: MarginDimension, t: TFunction): readonly DataColumn<Margin>[] => [
  {
    id: "name",
    label: t(NAMES[by]),
    card: "title",
    className: "w-full max-w-0 truncate",
    value: (row) => (by === "day" ? Number(row.key) : getName(row, by, t)),
    cell: (row) => <span title={getName(row, by, t)}>{getName(row, by, t)}</span>,
  },
  {
    id: "quota",
    label: t("收费"),
    align: "right",
    card: "fact",
    value: (row) => row.quota - row.refunded,
    cell: (row) => <MoneySum quota={row.quota - row.refunded} />,
  },
  {
    id: "cost",
    label: t("成本"),
    align: "right",
    card: "fact",
    value: (row) => row.cost,
    cell: (row) => (row.known_count === 0 ? t("未知") : <MoneySum quota={row.cost} />),
  },
  {
    id: "margin",
    label: t("毛利"),
    align: "right",
    card: "fact",
    value: (row) => row.margin,
    cell: (row) => (row.known_count === 0 ? "—" : <MoneySum quota={row.margin} className={tone(row.margin)} />),
  },
  {
    id: "share",
    label: t("毛利率"),
    align: "right",
    value: getShare,
    cell: (row) => <span className={tone(row.margin)}>{formatShare(getShare(row))}</span>,
  },
  {
    id: "known",
    label: t("已知成本的调用"),
    align: "right",
    value: (row) => row.known_count,
    cell: (row) => `${formatCount(row.known_count)} / ${formatCount(row.count)}`,
  },
];

function MarginTotals({ total }: { readonly total: Margin }) {
  const { t } = useTranslation();
  const figures = [
    { label: t("收费"), quota: total.quota - total.refunded },
    { label: t("成本"), quota: total.cost },
    { label: t("毛利"), quota: total.margin },
  ];
  return (
    <dl className="mb-3 flex flex-wrap gap-x-8 gap-y-2">
      {figures.map(({ label, quota }) => (
        <div key={label} className="flex flex-col">
          <dt className="text-xs text-muted-foreground">{label}</dt>
          <dd className="text-lg font-semibold">
            <MoneySum quota={quota} className={tone(quota)} />
          </dd>
        </div>
      ))}
      <div className="flex flex-col">
        <dt className="text-xs text-muted-foreground">{t("已知成本的调用")}</dt>
        <dd className="text-lg font-semibold tabular-nums">
          {formatCount(total.known_count)} / {formatCount(total.count)}
        </dd>
      </div>
    </dl>
  );
}

function MarginTable({ margins, by }: { readonly margins: Margins; readonly by: MarginDimension }) {
  const { t } = useTranslation();
  const columns = useMemo(() => marginColumns(by, t), [by, t]);
  if (margins.rows.length === 0)
    return <p className="py-8 text-center text-muted-foreground">{t("这段时间没有调用。")}</p>;
  const shown = by === "day" ? margins.rows : margins.rows.slice(0, ROWS_SHOWN_MAX);
  return (
    <>
      <MarginTotals total={margins.total} />
      <DataTable label={t("成本和毛利")} columns={columns} rows={shown} getRowId={(row) => row.key} />
      {shown.length < margins.row_count && (
        <p className="pt-2 text-xs text-muted-foreground">
          {t("毛利最低的 {{shown}} 项，共 {{count}} 项；全部见 CSV。", {
            shown: shown.length,
            count: margins.row_count,
          })}
        </p>
      )}
    </>
  );
}

type MarginPanelProps = { readonly startSeconds: number; readonly endSeconds: number };

/** What calls were charged, what they cost, and the margin, by one dimension; for administrators. */
export function MarginPanel(span: MarginPanelProps) {
  const { t, i18n } = useTranslation();
  const [by, setBy] = useState<MarginDimension>("channel");
  const margins = useQuery(marginsQuery(by, span));
  return (
    <Card className="min-w-0">
      <CardHeader>
        <CardTitle>
          <h2>{t("成本和毛利")}</h2>
        </CardTitle>
        <CardDescription>{t("毛利只计算成本已知的调用，按整天（UTC）统计。")}</CardDescription>
        <CardAction className="flex gap-2">
          <OptionSelect
            className="h-8"
            aria-label={t("统计方式")}
            value={by}
            options={MARGIN_DIMENSIONS.map((value) => ({ value, label: t(DIMENSIONS[value]) }))}
            onValueChange={(value) => setBy(MARGIN_DIMENSIONS.find((each) => each === value) ?? "channel")}
          />
          <Button variant="outline" size="sm" asChild>
            <a href={marginsAddress(by, span, i18n.language)} download>
              <Download />
              CSV
            </a>
          </Button>
        </CardAction>
      </CardHeader>
      <CardContent>
        {margins.isPending && <Skeleton className="h-48 w-full" />}
        {margins.isError && !margins.data && (
          <ErrorState error={margins.error} onRetry={() => void margins.refetch()} />
        )}
        {margins.data && <MarginTable margins={margins.data} by={by} />}
      </CardContent>
    </Card>
  );
}
