import type { RehearsedModel, RehearsedUser, SkippedCalls } from "@turnpike/contract/api/prices/rehearsal";
import type { TFunction } from "i18next";
import { Download } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DataColumn } from "../../../components/data-table/columns/columns.ts";
import { Pagination } from "../../../components/data-table/pagination.tsx";
import { DataTable } from "../../../components/data-table/data-table.tsx";
import { Money } from "../../../components/money.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { toCsv } from "../../../lib/text/csv.ts";
import { downloadCsv } from "../../../lib/download.ts";
import { formatCount } from "../../../lib/text/format.ts";
import { text } from "../../../lib/text/i18n-source.ts";
import { cn } from "../../../lib/utils.ts";
import { getChange, getMargin, type Sum } from "./rehearsal-sums.ts";

const PAGE_SIZE = 20;

type Cell = string | number;

/** How much more or less is paid. */
export function ChangedMoney({ quota }: { readonly quota: number }) {
  return (
    <span className={cn(quota < 0 && "text-destructive", quota > 0 && "text-good")}>
      {quota > 0 && "+"}
      <Money quota={quota} />
    </span>
  );
}

/** A margin; a loss is red, an unknown cost has none. */
function Margin({ quota }: { readonly quota: number | undefined }) {
  if (quota === undefined) return "—";
  return <Money quota={quota} className={cn(quota < 0 && "text-destructive")} />;
}

const figure = <Row,>(
  id: string,
  label: string,
  show: { value: (row: Row) => number | undefined; cell: (row: Row) => ReactNode },
) => ({ id, label, align: "right", card: "fact", className: "tabular-nums", ...show }) as const;

const sumColumns = <Row extends Sum>(t: TFunction): readonly DataColumn<Row>[] => [
  figure("calls", t("调用次数"), { value: ({ calls }) => calls, cell: ({ calls }) => formatCount(calls) }),
  figure("charged", t("当时计费"), { value: ({ quota }) => quota, cell: ({ quota }) => <Money quota={quota} /> }),
  figure("current", t("现行价格"), {
    value: (row) => row.current_quota,
    cell: (row) => <Money quota={row.current_quota} />,
  }),
  figure("proposed", t("试算价格"), {
    value: (row) => row.proposed_quota,
    cell: (row) => <Money quota={row.proposed_quota} />,
  }),
  figure("change", t("变动额"), { value: getChange, cell: (row) => <ChangedMoney quota={getChange(row)} /> }),
  figure("margin", t("试算毛利"), { value: getMargin, cell: (row) => <Margin quota={getMargin(row)} /> }),
];

const name = <Row,>(id: string, label: string, read: (row: Row) => string): DataColumn<Row> => ({
  id,
  label,
  card: "title",
  className: "max-w-60 truncate",
  value: read,
  cell: (row) => <span title={read(row)}>{read(row)}</span>,
});

type SumTableProps<Row> = {
  readonly label: string;
  readonly fileName: string;
  readonly names: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  readonly getRowId: (row: Row) => string;
};

const SUM_HEADER = [
  "calls",
  "charged_quota",
  "current_quota",
  "proposed_quota",
  "change_quota",
  "costed_calls",
  "cost_quota",
  "margin_quota",
];
const toCells = (row: Sum): readonly Cell[] => [
  row.calls,
  row.quota,
  row.current_quota,
  row.proposed_quota,
  getChange(row),
  row.costed_calls,
  row.cost,
  getMargin(row) ?? "",
];

/** Sums with their names, the largest change first, and all of them as CSV in quota units. */
function SumTable<Row extends Sum>({ label, fileName, names, rows, getRowId }: SumTableProps<Row>) {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const columns = useMemo(() => [...names, ...sumColumns<Row>(t)], [names, t]);
  const sorted = useMemo(() => rows.toSorted((a, b) => Math.abs(getChange(b)) - Math.abs(getChange(a))), [rows]);
  const save = (): void => {
    const header = [...names.map(({ id }) => id), ...SUM_HEADER];
    const lines = sorted.map((row) => [...names.map(({ value }) => value?.(row) ?? ""), ...toCells(row)]);
    downloadCsv(fileName, toCsv([header, ...lines]));
  };
  return (
    <div className="flex flex-col gap-2">
      <DataTable
        label={label}
        className="rounded-lg border"
        columns={columns}
        rows={sorted}
        getRowId={getRowId}
        pagination={{ pageIndex: page - 1, pageSize: PAGE_SIZE }}
      />
      {sorted.length > PAGE_SIZE && (
        <Pagination page={page} pageSize={PAGE_SIZE} total={sorted.length} onPage={setPage} />
      )}
      <div>
        <Button variant="outline" size="sm" onClick={save}>
          <Download />
          CSV
        </Button>
      </div>
    </div>
  );
}

export function ModelSums({ rows }: { readonly rows: readonly RehearsedModel[] }) {
  const { t } = useTranslation();
  const names = useMemo(
    (): readonly DataColumn<RehearsedModel>[] => [
      name("model", t("模型"), ({ model }) => model),
      { ...name<RehearsedModel>("group", t("分组"), ({ group }) => group), card: "fact" },
    ],
    [t],
  );
  return (
    <SumTable
      label={t("按模型和分组")}
      fileName="rehearsal-models"
      names={names}
      rows={rows}
      getRowId={({ model, group }) => `${group} ${model}`}
    />
  );
}

export function UserSums({ rows }: { readonly rows: readonly RehearsedUser[] }) {
  const { t } = useTranslation();
  const names = useMemo(
    (): readonly DataColumn<RehearsedUser>[] => [
      name("username", t("用户"), ({ username }) => username),
      { ...name<RehearsedUser>("user_id", "ID", ({ user_id: id }) => String(id)), card: "fact" },
    ],
    [t],
  );
  return (
    <SumTable
      label={t("按用户")}
      fileName="rehearsal-users"
      names={names}
      rows={rows}
      getRowId={({ user_id: id }) => String(id)}
    />
  );
}

const REASONS: Readonly<Record<string, string>> = {
  no_figures: text("日志没有记录用量"),
  no_price: text("试算的价格里没有这个模型"),
  no_image_kind: text("日志没有记录图片的质量和尺寸"),
};

/** The calls that are in no sum, and why. */
export function SkippedSums({ rows }: { readonly rows: readonly SkippedCalls[] }) {
  const { t } = useTranslation();
  const columns = useMemo(
    (): readonly DataColumn<SkippedCalls>[] => [
      name("model", t("模型"), ({ model }) => model),
      { ...name<SkippedCalls>("reason", t("跳过的原因"), ({ reason }) => t(REASONS[reason] ?? reason)), card: "fact" },
      figure("calls", t("调用次数"), { value: ({ calls }) => calls, cell: ({ calls }) => formatCount(calls) }),
      figure("charged", t("当时计费"), { value: ({ quota }) => quota, cell: ({ quota }) => <Money quota={quota} /> }),
    ],
    [t],
  );
  return (
    <DataTable
      label={t("无法计算")}
      className="rounded-lg border"
      columns={columns}
      rows={rows.toSorted((a, b) => b.quota - a.quota)}
      getRowId={({ model, reason }) => `${reason} ${model}`}
    />
  );
}
