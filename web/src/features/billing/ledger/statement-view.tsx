import type { Statement } from "@turnpike/contract/api/ledger";
import { useQuery } from "@tanstack/react-query";
import { Download, Printer } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { DataColumn } from "../../../components/data-table/columns/columns.ts";
import { DataTable } from "../../../components/data-table/data-table.tsx";
import { Money } from "../../../components/money.tsx";
import { ErrorState } from "../../../components/states.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { OptionSelect } from "../../../components/option-select.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { useNowSeconds } from "../../../hooks/use-now.ts";
import { formatCount, formatTime } from "../../../lib/text/format.ts";
import { useSiteStatus } from "../../../lib/status.ts";
import { translateContent } from "../../../domain/logs/log-content.ts";
import { statementQuery } from "./ledger-api.ts";
import { LedgerKind } from "./ledger-kinds.tsx";
import { lastMonths, monthName } from "./months.ts";
import { SignedMoney } from "./signed-money.tsx";
import { type ModelUsage, sumUsageByModel } from "./statement-sums.ts";

const MONTHS = 24;

type SheetProps<Row> = {
  readonly title: string;
  readonly columns: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  readonly getRowId: (row: Row) => string;
};

/** A table of a statement under its title. */
function Sheet<Row extends object>({ title, ...table }: SheetProps<Row>) {
  if (table.rows.length === 0) return null;
  return (
    <section className="flex flex-col gap-1">
      <h3 className="text-[13px] font-semibold">{title}</h3>
      <DataTable label={title} {...table} />
    </section>
  );
}

type Credit = Statement["credits"][number];

function Credits({ credits }: Pick<Statement, "credits">) {
  const { t, i18n } = useTranslation();
  const columns = useMemo(
    (): readonly DataColumn<Credit>[] => [
      {
        id: "time",
        label: t("时间"),
        card: "fact",
        className: "tabular-nums",
        value: (credit) => credit.created_at,
        cell: (credit) => formatTime(credit.created_at, i18n.language),
      },
      {
        id: "reason",
        label: t("原因"),
        card: "title",
        className: "w-full whitespace-normal",
        cell: (credit) => (
          <>
            <span className="mr-2">
              <LedgerKind kind={credit.kind} />
            </span>
            {translateContent(credit.reason, t)}
          </>
        ),
      },
      {
        id: "amount",
        label: t("变动"),
        align: "right",
        card: "fact",
        value: (credit) => credit.amount,
        cell: (credit) => <SignedMoney quota={credit.amount} />,
      },
    ],
    [t, i18n.language],
  );
  return <Sheet title={t("入账")} columns={columns} rows={credits} getRowId={({ id }) => id} />;
}

function Uses({ uses }: Pick<Statement, "uses">) {
  const { t } = useTranslation();
  const rows = useMemo(() => sumUsageByModel(uses), [uses]);
  const columns = useMemo((): readonly DataColumn<ModelUsage>[] => {
    const figure = (id: string, label: string, value: (use: ModelUsage) => number): DataColumn<ModelUsage> => ({
      id,
      label,
      align: "right",
      card: "fact",
      value,
      cell: (use) => formatCount(value(use)),
    });
    return [
      {
        id: "model",
        label: t("模型"),
        card: "title",
        className: "w-full font-mono text-xs",
        value: (use) => use.model_name,
        cell: (use) => use.model_name,
      },
      figure("count", t("请求数"), (use) => use.request_count),
      figure("prompt", t("输入 Token"), (use) => use.prompt_tokens),
      figure("completion", t("输出 Token"), (use) => use.completion_tokens),
      { ...figure("quota", t("消费额度"), (use) => use.quota), cell: (use) => <Money quota={use.quota} /> },
    ];
  }, [t]);
  return <Sheet title={t("按模型的消费")} columns={columns} rows={rows} getRowId={({ model_name }) => model_name} />;
}

function Sums({ statement }: { readonly statement: Statement }) {
  const { t } = useTranslation();
  const sums = [
    [t("期初余额"), <Money key="opening" quota={statement.opening_quota} />],
    [t("入账合计"), <SignedMoney key="credited" quota={statement.credited_quota} />],
    [t("消费合计"), <Money key="spent" quota={statement.spent_quota} />],
    [t("期末余额"), <Money key="closing" quota={statement.closing_quota} className="font-semibold" />],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-4 border-y py-3 sm:grid-cols-4">
      {sums.map(([label, value]) => (
        <div key={label}>
          <dt className="text-xs text-muted-foreground">{label}</dt>
          <dd className="tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type StatementViewProps = {
  /** "2026-05"; absent for the current month. */
  readonly month: string | undefined;
  readonly onMonth: (month: string) => void;
  /** 0 for the signed-in user. */
  readonly user: number;
};

/** A month as a printable statement: opening and closing balance, credits and spending. */
export function StatementView({ month, onMonth, user }: StatementViewProps) {
  const { t, i18n } = useTranslation();
  const siteName = useSiteStatus()?.system_name ?? "Turnpike";
  const months = lastMonths(useNowSeconds() * 1000, MONTHS);
  const chosen = month ?? months[0] ?? "";
  const query = useQuery(statementQuery(chosen, user));
  const statement = query.data;
  const file = new URLSearchParams({ month: chosen, format: "csv", lang: i18n.language });
  if (user > 0) file.set("user_id", String(user));
  const options = [...new Set([...months, chosen])].map((value) => ({ value, label: monthName(value, i18n.language) }));
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2 print:hidden">
        <OptionSelect
          className="h-9 w-full sm:w-44"
          aria-label={t("月份")}
          value={chosen}
          options={options}
          onValueChange={onMonth}
        />
        <Button variant="outline" asChild>
          <a href={`/api/user/statement?${file.toString()}`} download>
            <Download />
            {t("下载 CSV")}
          </a>
        </Button>
        <Button variant="outline" disabled={!statement} onClick={() => window.print()}>
          <Printer />
          {t("打印")}
        </Button>
      </div>
      {query.isPending && <Skeleton className="h-64 w-full" />}
      {query.isError && !statement && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {statement && (
        <article className="flex max-w-4xl flex-col gap-4 rounded-lg border p-4 sm:p-6 print:border-0 print:p-0">
          <header className="flex flex-wrap items-baseline justify-between gap-2">
            <h2 className="text-base font-semibold">
              {t("{{site}} 对账单：{{month}}", { site: siteName, month: monthName(statement.month, i18n.language) })}
            </h2>
            <p className="text-[13px] text-muted-foreground">
              {t("用户 {{name}}（#{{id}}）", { name: statement.username, id: statement.user_id })}
            </p>
          </header>
          <Sums statement={statement} />
          <Credits credits={statement.credits} />
          <Uses uses={statement.uses} />
          {statement.credits.length + statement.uses.length === 0 && (
            <p className="py-8 text-center text-muted-foreground">{t("这个月没有入账，也没有消费。")}</p>
          )}
          {statement.is_cut && (
            <p className="text-[13px] text-warn">{t("记录太多，没有全部列出；合计仍然是完整的。")}</p>
          )}
          <p className="text-xs text-muted-foreground">{t("月份和日期以 UTC 为准。")}</p>
        </article>
      )}
    </div>
  );
}
