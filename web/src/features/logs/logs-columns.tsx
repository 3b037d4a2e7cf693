import type { LogEntry } from "@turnpike/contract/api/log";
import { LOG_TYPE } from "@turnpike/contract/codes";
import type { TFunction } from "i18next";
import type { DataColumn } from "../../components/data-table/columns/columns.ts";
import { FilterCell } from "../../components/data-table/filter-cell.tsx";
import { Money } from "../../components/money.tsx";
import { Time } from "../../components/time.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Hint } from "../../components/hint.tsx";
import { formatCount, formatShort } from "../../lib/text/format.ts";
import { UserInfoButton } from "../../domain/users/user-info-button.tsx";
import { parseLogDetails } from "../../domain/logs/log-details.ts";
import { translateContent } from "../../domain/logs/log-content.ts";
import { LatencyBadges } from "./log-timing.tsx";
import { LogOutcome } from "./log-outcome.tsx";
import type { LogSearch } from "./log-filters.tsx";

const isCall = ({ type }: LogEntry): boolean => type === LOG_TYPE.consume || type === LOG_TYPE.error;

function Tokens({ count }: { readonly count: number }) {
  return (
    <Hint text={count >= 10_000 ? formatCount(count) : ""}>
      <span>{formatShort(count)}</span>
    </Hint>
  );
}

function Model({ entry }: { readonly entry: LogEntry }) {
  const { upstream_model_name: upstream, is_model_mapped: mapped } = parseLogDetails(entry);
  return (
    <Hint text={mapped === true ? `${entry.model_name} → ${upstream ?? ""}` : ""}>
      <span className="block truncate font-mono text-xs" title={entry.model_name}>
        {entry.model_name}
        {mapped === true && " *"}
      </span>
    </Hint>
  );
}

type Filter = (change: LogSearch) => void;

const channelColumn = (t: TFunction, filter: Filter): DataColumn<LogEntry> => ({
  id: "channel",
  label: t("所用渠道"),
  cell: (entry) =>
    entry.channel === 0 ? null : (
      <FilterCell value={`#${entry.channel}`} onFilter={() => filter({ channel: entry.channel })}>
        <StatusBadge>#{entry.channel}</StatusBadge>
        <span className="max-w-24 truncate">{entry.channel_name}</span>
      </FilterCell>
    ),
});

const retryColumn = (t: TFunction): DataColumn<LogEntry> => ({
  id: "retry",
  label: t("重试"),
  startsHidden: true,
  cell: (entry) => {
    const route = parseLogDetails(entry).admin_info?.use_channel ?? [];
    return route.length > 1 ? route.join(" → ") : null;
  },
});

const usernameColumn = (t: TFunction): DataColumn<LogEntry> => ({
  id: "username",
  label: t("用户"),
  cell: (entry) =>
    entry.user_id === 0 ? entry.username : <UserInfoButton id={entry.user_id} username={entry.username} />,
});

const tokenColumn = (t: TFunction, filter: Filter): DataColumn<LogEntry> => ({
  id: "token",
  label: t("令牌"),
  cell: (entry) =>
    entry.token_name === "" ? null : (
      <FilterCell value={entry.token_name} onFilter={() => filter({ token: entry.token_name })}>
        <span className="block max-w-32 truncate">{entry.token_name}</span>
      </FilterCell>
    ),
});

const modelColumn = (t: TFunction, filter: Filter): DataColumn<LogEntry> => ({
  id: "model",
  label: t("模型"),
  card: "title",
  cell: (entry) =>
    entry.model_name === "" ? (
      <span className="block truncate text-muted-foreground">{translateContent(entry.content, t)}</span>
    ) : (
      <FilterCell value={entry.model_name} onFilter={() => filter({ model: entry.model_name })}>
        <Model entry={entry} />
      </FilterCell>
    ),
});

/** Columns of the usage log; administrators also see the user and the channel. */
export const logColumns = (t: TFunction, admin: boolean, filter: Filter): readonly DataColumn<LogEntry>[] => [
  {
    id: "time",
    label: t("时间"),
    fixed: true,
    card: "fact",
    cell: (entry) => <Time seconds={entry.created_at} exact />,
  },
  ...(admin ? [channelColumn(t, filter), usernameColumn(t)] : []),
  tokenColumn(t, filter),
  {
    id: "group",
    label: t("分组"),
    startsHidden: true,
    cell: (entry) =>
      entry.group === "" ? null : (
        <FilterCell value={entry.group} onFilter={() => filter({ group: entry.group })}>
          {entry.group}
        </FilterCell>
      ),
  },
  {
    id: "type",
    label: t("结果"),
    card: "badge",
    cell: (entry) => <LogOutcome entry={entry} onFilter={(error) => filter({ error })} />,
  },
  modelColumn(t, filter),
  {
    id: "latency",
    label: t("用时 / 首字"),
    cell: (entry) => (isCall(entry) ? <LatencyBadges entry={entry} details={parseLogDetails(entry)} /> : null),
  },
  {
    id: "stream",
    label: t("方式"),
    startsHidden: true,
    cell: (entry) => (isCall(entry) ? (entry.is_stream ? t("流式") : t("非流式")) : null),
  },
  {
    id: "prompt",
    label: t("输入"),
    align: "right",
    cell: (entry) => (isCall(entry) ? <Tokens count={entry.prompt_tokens} /> : null),
  },
  {
    id: "completion",
    label: t("输出"),
    align: "right",
    cell: (entry) => (isCall(entry) ? <Tokens count={entry.completion_tokens} /> : null),
  },
  { id: "quota", label: t("费用"), align: "right", card: "fact", cell: (entry) => <Money quota={entry.quota} /> },
  ...(admin ? [retryColumn(t)] : []),
  {
    id: "ip",
    label: t("客户端 IP"),
    startsHidden: true,
    cell: (entry) => <span className="font-mono text-xs">{entry.client_ip}</span>,
  },
  {
    id: "content",
    label: t("说明"),
    startsHidden: true,
    cell: (entry) => (
      <span className="block truncate" title={translateContent(entry.content, t)}>
        {translateContent(entry.content, t)}
      </span>
    ),
  },
];
