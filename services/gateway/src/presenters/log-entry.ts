import { LOG_TYPE } from "@turnpike/contract/codes";
import type { AdminLogEntry, LogEntry, LogFilter, LogStat } from "@turnpike/contract/api/log";
import type { GetLogStatResponse, LogFilter as StoredFilter, LogRow } from "@turnpike/proto/billing/v1/log_service";

/** Routing is visible to the operator only: users see neither the channels nor the attempts. */
const ADMIN_DETAILS = ["admin_info", "channel_id", "channel_name", "channel_type"] as const;

function detailsForUser(json: string): string {
  if (!ADMIN_DETAILS.some((name) => json.includes(name))) return json;
  try {
    const details = JSON.parse(json) as Record<string, unknown>;
    for (const name of ADMIN_DETAILS) delete details[name];
    return JSON.stringify(details);
  } catch {
    // Unreadable details may contain what users must not see.
    return "{}";
  }
}

const toEntry = (row: LogRow): LogEntry => ({
  id: row.id,
  created_at: row.createdAt,
  type: row.type,
  user_id: row.userId,
  username: row.username,
  token_id: row.tokenId,
  token_name: row.tokenName,
  model_name: row.modelName,
  channel: row.channel,
  channel_name: row.channelName,
  group: row.group,
  is_stream: row.isStream,
  use_time: row.useTime,
  prompt_tokens: row.promptTokens,
  completion_tokens: row.completionTokens,
  quota: row.quota,
  content: row.content,
  client_ip: row.clientIp,
  request_id: row.requestId,
  other: row.otherJson === "" ? "{}" : row.otherJson,
  ...(row.refunded > 0 ? { refunded: row.refunded } : {}),
});

const TRACE_ID = /"trace_id":"([0-9a-f]{32})"/;

/** The address of the row's trace; undefined without a template, and for calls that were not sampled. */
function toTraceUrl({ otherJson }: LogRow, template: string): string | undefined {
  const [, traceId] = template === "" ? [] : (TRACE_ID.exec(otherJson) ?? []);
  return traceId && template.replaceAll("{trace_id}", traceId);
}

/** A row as administrators see it: with what upstream charged, and where its trace is. */
export function toLogEntry(row: LogRow, traceTemplate = ""): AdminLogEntry {
  const traceUrl = toTraceUrl(row, traceTemplate);
  return {
    ...toEntry(row),
    ...(row.type === LOG_TYPE.consume ? { cost: row.cost ?? null, cost_source: row.costSource } : {}),
    ...(traceUrl === undefined ? {} : { trace_url: traceUrl }),
  };
}

/** A row as its own user sees it: without channels and costs. */
export function toOwnLogEntry(row: LogRow): LogEntry {
  const entry = toEntry(row);
  return { ...entry, channel: 0, channel_name: "", other: detailsForUser(entry.other) };
}

/** The sums of log rows. */
export const toLogStat = ({ quota, rpm, tpm, session }: GetLogStatResponse): LogStat => ({
  quota,
  rpm,
  tpm,
  ...(session && {
    session: {
      calls: session.calls,
      prompt_tokens: session.promptTokens,
      completion_tokens: session.completionTokens,
      quota: session.quota,
      first_at: session.firstSeconds,
      last_at: session.lastSeconds,
    },
  }),
});

/** An administrator's filter. */
export const toLogFilter = (filter: LogFilter): StoredFilter => ({
  type: filter.type,
  userId: 0,
  username: filter.username,
  tokenName: filter.token_name,
  modelName: filter.model_name,
  startSeconds: filter.start_timestamp,
  endSeconds: filter.end_timestamp,
  channel: filter.channel,
  group: filter.group,
  requestId: filter.request_id,
  tokenId: 0,
  error: filter.error_code,
  sessionId: filter.session_id,
  responseId: "",
});

/** A user's filter on their own rows: it cannot name another user or channels. */
export const toOwnLogFilter = (filter: LogFilter, userId: number): StoredFilter => ({
  ...toLogFilter(filter),
  userId,
  username: "",
  channel: 0,
});
