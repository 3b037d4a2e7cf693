import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { useTranslation } from "react-i18next";
import { MoneySum } from "../../../components/money.tsx";
import { ErrorState } from "../../../components/states.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Sheet, SheetContent, SheetDescription, SheetHeader, SheetTitle } from "../../../components/ui/sheet.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../../components/ui/tabs.tsx";
import { formatCount } from "../../../lib/text/format.ts";
import { text } from "../../../lib/text/i18n-source.ts";
import { sumUsage } from "./token-usage.ts";
import { UsageTable } from "./token-usage-table.tsx";
import { tokenQuery, tokenUsageQuery } from "../../../domain/tokens/tokens-api.ts";

const RANGES = [
  { days: 1, label: text("最近 24 小时") },
  { days: 7, label: text("最近 7 天") },
  { days: 30, label: text("最近 30 天") },
] as const;
const DEFAULT_DAYS = 7;

/** The sheet with the usage of the token in the address, by day and model. */
export function TokenUsageSheet() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { id = "" } = useParams({ strict: false });
  const { days = DEFAULT_DAYS } = useSearch({ strict: false });
  const token = useQuery(tokenQuery(Number(id)));
  const name = token.data?.name ?? "";
  const close = (): Promise<void> =>
    navigate({ to: "/app/tokens", search: (previous) => ({ ...previous, days: undefined }) });
  const choose = (value: string): void => {
    const chosen = RANGES.find((range) => String(range.days) === value)?.days;
    void navigate({ to: ".", search: (previous) => ({ ...previous, days: chosen }) as never, replace: true });
  };
  return (
    <Sheet open onOpenChange={(open) => !open && void close()}>
      <SheetContent
        onOpenAutoFocus={(event) => {
          // The sheet opens for reading: no field gets the focus.
          event.preventDefault();
          if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
        }}
      >
        <SheetHeader>
          <SheetTitle>{t("“{{name}}”的用量", { name })}</SheetTitle>
          <SheetDescription>{t("按 UTC 日期和模型统计。")}</SheetDescription>
        </SheetHeader>
        <Tabs
          value={String(days)}
          onValueChange={choose}
          className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-5 py-5"
        >
          <div className="flex flex-wrap items-center justify-between gap-2">
            <TabsList aria-label={t("时间范围")}>
              {RANGES.map((range) => (
                <TabsTrigger key={range.days} value={String(range.days)}>
                  {t(range.label)}
                </TabsTrigger>
              ))}
            </TabsList>
            <Button variant="outline" asChild size="sm">
              <Link to="/app/logs/api-usage" search={{ token: name }}>
                <ScrollText />
                {t("查看日志")}
              </Link>
            </Button>
          </div>
          <TabsContent value={String(days)}>
            {token.error ? (
              <ErrorState error={token.error} onRetry={() => void token.refetch()} />
            ) : (
              <Usage id={Number(id)} name={name} days={days} />
            )}
          </TabsContent>
        </Tabs>
      </SheetContent>
    </Sheet>
  );
}

type UsageProps = { readonly id: number; readonly name: string; readonly days: number };

function Usage({ id, name, days }: UsageProps) {
  const { t } = useTranslation();
  const usage = useQuery(tokenUsageQuery(id, days));
  if (usage.error) return <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />;
  if (!usage.data) return <Skeleton className="h-48 w-full" />;
  const { uses, quota } = usage.data;
  if (uses.length === 0) return <p className="py-12 text-center text-muted-foreground">{t("这段时间没有调用。")}</p>;
  const sums = sumUsage(uses);
  const facts = [
    { label: t("花费"), value: <MoneySum quota={quota} /> },
    { label: t("请求次数"), value: formatCount(sums.requests) },
    { label: t("提示 token"), value: formatCount(sums.promptTokens) },
    { label: t("回答 token"), value: formatCount(sums.completionTokens) },
  ];
  return (
    <div className="flex flex-col gap-5">
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        {facts.map(({ label, value }) => (
          <div key={label} className="flex flex-col gap-1">
            <dt className="text-[13px] text-muted-foreground">{label}</dt>
            <dd className="font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <UsageTable uses={uses} token={name} />
    </div>
  );
}
