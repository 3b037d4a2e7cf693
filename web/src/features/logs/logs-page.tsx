import type { LogEntry, SessionStat } from "@turnpike/contract/api/log";
import { LOG_TYPE } from "@turnpike/contract/codes";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Download, Radio, RotateCw } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { toPage, usePatchSearch } from "../../components/data-table/use-list-search.ts";
import { ListPage } from "../../components/list-page.tsx";
import { useFormatMoney, useFormatMoneySum } from "../../components/money.tsx";
import { EmptyState } from "../../components/states.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Time } from "../../components/time.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { formatShort } from "../../lib/text/format.ts";
import { useIsAdmin } from "../../lib/session/session.ts";
import { LogFilters, type LogSearch } from "./log-filters.tsx";
import { getLogRange, rangeStartSeconds } from "./log-range.ts";
import { exportAddress, type LogQuery, logsQuery, logStatQuery } from "../../domain/logs/logs-api.ts";
import { logColumns } from "./logs-columns.tsx";

const LogRowDetails = lazy(async () => ({ default: (await import("./log-details.tsx")).LogRowDetails }));

const route = getRouteApi("/shell/signed-in/app/logs/api-usage");

function wireQuery(search: LogSearch, admin: boolean): LogQuery {
  const range = getLogRange(search);
  return {
    type: search.type,
    model_name: search.model,
    token_name: search.token,
    group: search.group,
    request_id: search.request,
    error_code: search.error,
    session_id: search.session,
    ...(admin ? { username: search.username, channel: search.channel } : {}),
    start_timestamp: range === "custom" ? search.start : rangeStartSeconds(range, Date.now()),
    end_timestamp: range === "custom" ? search.end : undefined,
  };
}

/** The sums of the session that the log is filtered by. */
function SessionChips({ session }: { readonly session: SessionStat }) {
  const { t } = useTranslation();
  const { calls, prompt_tokens: input, completion_tokens: output } = session;
  return (
    <>
      <StatusBadge>{t("会话共 {{count}} 次调用", { count: calls })}</StatusBadge>
      <StatusBadge title={t("输入 {{input}} / 输出 {{output}} Token", { input, output })}>
        {t("会话共 {{tokens}} 个 Token", { tokens: formatShort(input + output) })}
      </StatusBadge>
      {calls > 0 && (
        <StatusBadge>
          <Time seconds={session.first_at} exact /> – <Time seconds={session.last_at} exact />
        </StatusBadge>
      )}
    </>
  );
}

function StatChips({ query, admin }: { readonly query: LogQuery; readonly admin: boolean }) {
  const { t } = useTranslation();
  const stat = useQuery(logStatQuery(admin, query));
  const formatSum = useFormatMoneySum();
  const formatMoney = useFormatMoney();
  if (!stat.data) return null;
  const { quota } = stat.data;
  const { session } = stat.data;
  return (
    <div className="flex flex-wrap gap-1.5 tabular-nums">
      {session && <SessionChips session={session} />}
      <StatusBadge tone="info" title={formatMoney(quota)}>
        {t("消耗 {{amount}}", { amount: formatSum(quota) })}
      </StatusBadge>
      <StatusBadge title={t("最近一分钟的请求数")}>RPM {formatShort(stat.data.rpm)}</StatusBadge>
      <StatusBadge title={t("最近一分钟的 Token 数")}>TPM {formatShort(stat.data.tpm)}</StatusBadge>
    </div>
  );
}

/** The filtered rows as a file. */
function ExportButton({ query, admin }: { readonly query: LogQuery; readonly admin: boolean }) {
  const { t, i18n } = useTranslation();
  return (
    <Button variant="outline" asChild>
      <a href={exportAddress(admin, query, i18n.language)} download>
        <Download />
        {t("导出 CSV")}
      </a>
    </Button>
  );
}

/** The row that a request id opens: that of the charge, else the call's last row. */
function findRequestedRow(entries: readonly LogEntry[] | undefined, request: string | undefined): string | undefined {
  if (request === undefined) return undefined;
  // The rows of the filter before are shown until those of the request have come.
  const own = entries?.filter(({ request_id: id }) => id.startsWith(request));
  const found = own?.find(({ type }) => type === LOG_TYPE.consume) ?? own?.[0];
  return found && String(found.id);
}

/** How often the followed log is read; it stops while the page is in the background. */
const LIVE_MS = 3_000;

const NO_FILTERS: LogSearch = {
  type: undefined,
  model: undefined,
  token: undefined,
  username: undefined,
  channel: undefined,
  group: undefined,
  request: undefined,
  error: undefined,
  session: undefined,
  range: undefined,
  start: undefined,
  end: undefined,
};

/** Every call and every change of the balance; an expanded row explains its charge. */
export function LogsPage() {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const search = route.useSearch();
  const patch = usePatchSearch<typeof search>();
  const { page, pageSize } = toPage(search);
  const wire = wireQuery(search, admin);
  const [isLive, setLive] = useState(false);
  const query = useQuery({
    ...logsQuery({ page, pageSize, all: admin }, wire),
    refetchInterval: isLive && page === 1 ? LIVE_MS : false,
  });
  const columns = useMemo(() => logColumns(t, admin, patch), [t, admin, patch]);
  const isFiltered = Object.keys(NO_FILTERS).some((key) => search[key as keyof LogSearch] !== undefined);
  return (
    <ListPage
      title={t("使用日志")}
      description={t("每次调用和每次余额变动，展开一行可以看到费用的由来。")}
      actions={<StatChips query={wire} admin={admin} />}
    >
      <DataTable
        id={admin ? "logs-admin" : "logs"}
        label={t("使用日志")}
        columns={columns}
        query={query}
        getRowId={(entry) => String(entry.id)}
        getRowName={(entry) => entry.model_name || t("日志 {{id}}", { id: entry.id })}
        page={page}
        pageSize={pageSize}
        onPage={patch}
        isFiltered={isFiltered}
        onClearFilters={() => patch(NO_FILTERS)}
        noMatches={
          search.request === undefined
            ? undefined
            : t("没有这个请求 ID 的调用。控制台自身的请求不在这里，它们只在服务的日志中。")
        }
        empty={
          <EmptyState
            text={t("最近 3 天没有记录。用令牌发起一次调用，几秒后就会出现在这里。")}
            action={
              <Button variant="outline" asChild>
                <Link to="/app/tokens">{t("前往 API 令牌")}</Link>
              </Button>
            }
          />
        }
        openRowId={findRequestedRow(query.data?.items, search.request)}
        renderDetails={(entry) => (
          <Suspense fallback={<Skeleton className="h-40 w-full" />}>
            <LogRowDetails entry={entry} />
          </Suspense>
        )}
        toolbar={
          <>
            <LogFilters search={search} admin={admin} onChange={patch} />
            <ExportButton query={wire} admin={admin} />
            <Button variant={isLive ? "default" : "outline"} aria-pressed={isLive} onClick={() => setLive(!isLive)}>
              <Radio />
              {t("实时")}
            </Button>
            <Button variant="outline" size="icon" aria-label={t("刷新")} onClick={() => void query.refetch()}>
              <RotateCw />
            </Button>
          </>
        }
      />
    </ListPage>
  );
}
