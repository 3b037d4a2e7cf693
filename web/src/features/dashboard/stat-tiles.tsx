import type { UsageHour } from "@turnpike/contract/api/data";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Money } from "../../components/money.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { Hint } from "../../components/hint.tsx";
import { selfQuery } from "../../lib/account.ts";
import { logStatQuery } from "../../domain/logs/logs-api.ts";
import { getChange } from "./usage-series.ts";
import { formatChange, formatCount, formatShort } from "../../lib/format.ts";

type TileProps = { readonly label: string; readonly change?: number | undefined; readonly children: ReactNode };

function Tile({ label, change, children }: TileProps) {
  const { t } = useTranslation();
  return (
    <div className="flex min-w-0 flex-col gap-1 px-4 py-3">
      <dt className="text-[13px] text-muted-foreground">{label}</dt>
      <dd className="truncate text-xl font-semibold tabular-nums">
        {children}
        {change !== undefined && (
          <span className="ml-2 text-xs font-normal text-muted-foreground">
            <span className="sr-only">{t("与上一时段相比")} </span>
            {formatChange(change)}
          </span>
        )}
      </dd>
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

type UsageField = "quota" | "count" | "token_used";

const sumField = (hours: readonly UsageHour[], field: UsageField): number =>
  hours.reduce((total, hour) => total + hour[field], 0);

// The rates are of the last minute whatever the range; an empty range has no sum to be added up.
const RATES_SINCE = 4_102_444_800;
const RATE_POLL_MS = 10_000;

type StatTilesProps = {
  readonly hours: readonly UsageHour[] | undefined;
  /** The period before, of the same length. */
  readonly previous: readonly UsageHour[] | undefined;
  /** The whole site's rates, or one's own. */
  readonly all: boolean;
};

/** The balance, the sums of the chosen span, and the calls and tokens of the last minute. */
export function StatTiles({ hours, previous, all }: StatTilesProps) {
  const { t } = useTranslation();
  // Calls spend while this page is elsewhere: what is kept is shown, then read anew.
  const self = useQuery({ ...selfQuery, refetchOnMount: "always" });
  const rates = useQuery({ ...logStatQuery(all, { start_timestamp: RATES_SINCE }), refetchInterval: RATE_POLL_MS });
  const getFieldChange = (field: UsageField): number | undefined =>
    hours && previous && getChange(sumField(previous, field), sumField(hours, field));
  const waiting = <Skeleton className="mt-1 h-6 w-24" />;
  return (
    <dl className="grid grid-cols-2 rounded-lg border md:grid-cols-3 lg:grid-cols-6 lg:divide-x max-lg:[&>*:nth-child(n+3)]:border-t md:max-lg:[&>*:nth-child(3)]:border-t-0 max-md:[&>*:nth-child(odd)]:border-r md:max-lg:[&>*:not(:nth-child(3n))]:border-r">
      <Tile label={t("当前余额")}>{self.data ? <Money quota={self.data.quota} /> : waiting}</Tile>
      <Tile label={t("这段时间的消耗")} change={getFieldChange("quota")}>
        {hours ? <Money quota={sumField(hours, "quota")} /> : waiting}
      </Tile>
      <Tile label={t("调用次数")} change={getFieldChange("count")}>
        {hours ? <Count value={sumField(hours, "count")} /> : waiting}
      </Tile>
      <Tile label={t("Token 数")} change={getFieldChange("token_used")}>
        {hours ? <Count value={sumField(hours, "token_used")} /> : waiting}
      </Tile>
      <Tile label={t("每分钟请求（RPM）")}>{rates.data ? <Count value={rates.data.rpm} /> : waiting}</Tile>
      <Tile label={t("每分钟 Token（TPM）")}>{rates.data ? <Count value={rates.data.tpm} /> : waiting}</Tile>
    </dl>
  );
}
