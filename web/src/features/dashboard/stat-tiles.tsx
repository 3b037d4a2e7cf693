import type { UsageHour } from "@turnpike/contract/api/data";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Money } from "../../components/money.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { Hint } from "../../components/ui/tooltip.tsx";
import { selfQuery } from "../../lib/account.ts";
import { formatCount, formatShort } from "../../lib/format.ts";

function Tile({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1 px-4 py-3">
      <dt className="text-[13px] text-muted-foreground">{label}</dt>
      <dd className="truncate text-xl font-semibold tabular-nums">{children}</dd>
    </div>
  );
}

function Count({ value }: { readonly value: number }) {
  return (
    <Hint text={formatCount(value)}>
      <span>{formatShort(value)}</span>
    </Hint>
  );
}

const sumOf = (hours: readonly UsageHour[], field: "quota" | "count" | "token_used"): number =>
  hours.reduce((total, hour) => total + hour[field], 0);

/** The balance, and the sums of the chosen span. */
export function StatTiles({ hours }: { readonly hours: readonly UsageHour[] | undefined }) {
  const { t } = useTranslation();
  // Calls spend while this page is elsewhere: what is kept is shown, then read anew.
  const self = useQuery({ ...selfQuery, refetchOnMount: "always" });
  const waiting = <Skeleton className="mt-1 h-6 w-24" />;
  return (
    <dl className="grid grid-cols-2 rounded-lg border md:grid-cols-4 md:divide-x max-md:[&>*:nth-child(n+3)]:border-t max-md:[&>*:nth-child(odd)]:border-r">
      <Tile label={t("当前余额")}>{self.data ? <Money quota={self.data.quota} /> : waiting}</Tile>
      <Tile label={t("这段时间的消耗")}>{hours ? <Money quota={sumOf(hours, "quota")} /> : waiting}</Tile>
      <Tile label={t("调用次数")}>{hours ? <Count value={sumOf(hours, "count")} /> : waiting}</Tile>
      <Tile label={t("Token 数")}>{hours ? <Count value={sumOf(hours, "token_used")} /> : waiting}</Tile>
    </dl>
  );
}
