import type { UsageHour } from "@turnpike/contract/api/data";
import type { Overview } from "@turnpike/contract/api/report";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { MoneySum } from "../../components/money.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { Hint } from "../../components/hint.tsx";
import { selfQuery } from "../../lib/session/account.ts";
import { type FigureFilter, LogLink } from "../../domain/logs/log-link.tsx";
import { logStatQuery } from "../../domain/logs/logs-api.ts";
import { findUsersQuery } from "../../domain/users/users-api.ts";
import { useSession } from "../../lib/session/session.ts";
import type { UsageScope } from "./dashboard-api.ts";
import { overviewQuery } from "./overview-api.ts";
import { getChange } from "./usage/usage-series.ts";
import { formatChange, formatCount, formatShort } from "../../lib/text/format.ts";

type TileProps = {
  readonly label: string;
  readonly change?: number | undefined;
  /** The rows behind the figure. */
  readonly filter?: FigureFilter;
  readonly children: ReactNode;
};

function Tile({ label, change, filter, children }: TileProps) {
  const { t } = useTranslation();
  return (
    <div className="flex min-w-0 flex-col gap-1 px-4 py-3">
      <dt className="text-[13px] text-muted-foreground">{label}</dt>
      <dd className="truncate text-xl font-semibold tabular-nums">
        {filter ? <LogLink filter={filter}>{children}</LogLink> : children}
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

const formatPercent = (share: number | undefined): string =>
  share === undefined ? "—" : `${(share * 100).toFixed(share > 0 && share < 0.01 ? 2 : 1)}%`;

const sumField = (hours: readonly UsageHour[], field: UsageField): number =>
  hours.reduce((total, hour) => total + hour[field], 0);

// The rates are those of the last minute whatever the range; an empty range has no sum.
const RATES_SINCE = 4_102_444_800;
const RATE_POLL_MS = 10_000;

type StatTilesProps = {
  readonly hours: readonly UsageHour[] | undefined;
  /** The previous period, of the same length. */
  readonly previous: readonly UsageHour[] | undefined;
  readonly scope: UsageScope;
  /** The same period and the previous one, for the whole site's error rate. */
  readonly spans: readonly [Span, Span];
  /** The model that the sums are of; undefined for all. */
  readonly model: string | undefined;
};

type Span = { readonly startSeconds: number; readonly endSeconds: number };

/** The share of failed attempts, 0 to 1; undefined without calls or where failures are not logged. */
function getErrorShare(overview: Overview | undefined): number | undefined {
  if (!overview?.errors_logged) return undefined;
  const calls = overview.hours.reduce((total, hour) => total + hour.count, 0);
  const errors = overview.hours.reduce((total, hour) => total + hour.error_count, 0);
  return calls + errors === 0 ? undefined : errors / (calls + errors);
}

function ErrorRateTile({ spans: [current, last] }: Pick<StatTilesProps, "spans">) {
  const { t } = useTranslation();
  const overview = useQuery(overviewQuery(current.startSeconds, current.endSeconds));
  const before = useQuery(overviewQuery(last.startSeconds, last.endSeconds));
  const share = getErrorShare(overview.data);
  const earlier = getErrorShare(before.data);
  const change = share === undefined || earlier === undefined ? undefined : getChange(earlier, share);
  return (
    <Tile label={t("失败率")} change={change} filter={{ failed: true, span: current }}>
      {overview.isPending ? <Skeleton className="mt-1 h-6 w-24" /> : formatPercent(share)}
    </Tile>
  );
}

function BalanceTile({ username }: Pick<UsageScope, "username">) {
  const { t } = useTranslation();
  // Calls may spend while this page is not visible: the cached value is shown, then refetched.
  const self = useQuery({ ...selfQuery, refetchOnMount: "always", enabled: username === undefined });
  const named = useQuery({ ...findUsersQuery(username ?? ""), enabled: username !== undefined });
  const user = username === undefined ? self.data : named.data?.items.find((one) => one.username === username);
  return (
    <Tile label={t("当前余额")}>{user ? <MoneySum quota={user.quota} /> : <Skeleton className="mt-1 h-6 w-24" />}</Tile>
  );
}

/** The error rate of the site or the balance of a user, the sums of the selected range, and the calls and tokens of the last minute. */
export function StatTiles({ hours, previous, scope, spans, model }: StatTilesProps) {
  const { t } = useTranslation();
  const self = useSession((state) => state.user?.username);
  // An administrator's log has the rows of all users.
  const filter = { username: scope.all ? scope.username : self, model, span: spans[0] };
  const isSite = scope.all && scope.username === undefined;
  const rateFilter = { start_timestamp: RATES_SINCE, username: scope.username };
  const rates = useQuery({ ...logStatQuery(scope.all, rateFilter), refetchInterval: RATE_POLL_MS });
  const getFieldChange = (field: UsageField): number | undefined =>
    hours && previous && getChange(sumField(previous, field), sumField(hours, field));
  const waiting = <Skeleton className="mt-1 h-6 w-24" />;
  return (
    <dl className="grid grid-cols-2 rounded-lg border md:grid-cols-3 lg:grid-cols-6 lg:divide-x max-lg:[&>*:nth-child(n+3)]:border-t md:max-lg:[&>*:nth-child(3)]:border-t-0 max-md:[&>*:nth-child(odd)]:border-r md:max-lg:[&>*:not(:nth-child(3n))]:border-r">
      <Tile label={t("这段时间的消耗")} change={getFieldChange("quota")} filter={filter}>
        {hours ? <MoneySum quota={sumField(hours, "quota")} /> : waiting}
      </Tile>
      <Tile label={t("调用次数")} change={getFieldChange("count")} filter={filter}>
        {hours ? <Count value={sumField(hours, "count")} /> : waiting}
      </Tile>
      {isSite ? <ErrorRateTile spans={spans} /> : <BalanceTile username={scope.username} />}
      <Tile label={t("Token 数")} change={getFieldChange("token_used")} filter={filter}>
        {hours ? <Count value={sumField(hours, "token_used")} /> : waiting}
      </Tile>
      <Tile label={t("每分钟请求（RPM）")}>{rates.data ? <Count value={rates.data.rpm} /> : waiting}</Tile>
      <Tile label={t("每分钟 Token（TPM）")}>{rates.data ? <Count value={rates.data.tpm} /> : waiting}</Tile>
    </dl>
  );
}
