import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Download, RotateCw } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { pageOfSearch, usePatchSearch } from "../../components/data-table/use-list-search.ts";
import { ListPage } from "../../components/list-page.tsx";
import { useFormatMoney } from "../../components/money.tsx";
import { EmptyState } from "../../components/states.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { formatShort } from "../../lib/format.ts";
import { useIsAdmin } from "../../lib/session.ts";
import { LogRowDetails } from "./log-details.tsx";
import { LogFilters, type LogSearch } from "./log-filters.tsx";
import { DEFAULT_RANGE, rangeStartSeconds } from "./log-range.ts";
import { exportAddress, type LogQuery, logsQuery, logStatQuery } from "../../domain/logs/logs-api.ts";
import { logColumns } from "./logs-columns.tsx";

const route = getRouteApi("/shell/signed-in/app/logs/api-usage");

function wireQuery(search: LogSearch, admin: boolean): LogQuery {
  const range = search.range ?? DEFAULT_RANGE;
  return {
    type: search.type,
    model_name: search.model,
    token_name: search.token,
    group: search.group,
    request_id: search.request,
    ...(admin ? { username: search.username, channel: search.channel } : {}),
    start_timestamp: range === "custom" ? search.start : rangeStartSeconds(range, Date.now()),
    end_timestamp: range === "custom" ? search.end : undefined,
  };
}

function StatChips({ query, admin }: { readonly query: LogQuery; readonly admin: boolean }) {
  const { t } = useTranslation();
  const stat = useQuery(logStatQuery(admin, query));
  const formatMoney = useFormatMoney();
  if (!stat.data) return null;
  return (
    <div className="flex flex-wrap gap-1.5 tabular-nums">
      <StatusBadge tone="info">{t("消耗 {{amount}}", { amount: formatMoney(stat.data.quota) })}</StatusBadge>
      <StatusBadge title={t("最近一分钟的请求数")}>RPM {formatShort(stat.data.rpm)}</StatusBadge>
      <StatusBadge title={t("最近一分钟的 Token 数")}>TPM {formatShort(stat.data.tpm)}</StatusBadge>
    </div>
  );
}

/** The rows that the filters leave, as a file. */
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

const NO_FILTERS: LogSearch = {
  type: undefined,
  model: undefined,
  token: undefined,
  username: undefined,
  channel: undefined,
  group: undefined,
  request: undefined,
  range: undefined,
  start: undefined,
  end: undefined,
};

/** Every call and every change of the balance; a row opens to explain its charge. */
export function LogsPage() {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const search = route.useSearch();
  const patch = usePatchSearch<typeof search>();
  const { page, pageSize } = pageOfSearch(search);
  const wire = wireQuery(search, admin);
  const query = useQuery(logsQuery({ page, pageSize, all: admin }, wire));
  const columns = useMemo(() => logColumns(t, admin), [t, admin]);
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
        renderDetails={(entry) => <LogRowDetails entry={entry} />}
        toolbar={
          <>
            <LogFilters search={search} admin={admin} onChange={patch} />
            <ExportButton query={wire} admin={admin} />
            <Button variant="outline" size="icon" aria-label={t("刷新")} onClick={() => void query.refetch()}>
              <RotateCw />
            </Button>
          </>
        }
      />
    </ListPage>
  );
}
