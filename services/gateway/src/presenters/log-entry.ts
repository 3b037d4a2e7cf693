import type { LogEntry, LogFilter } from "@turnpike/contract/api/log";
import type { LogFilter as StoredFilter, LogRow } from "@turnpike/proto/billing/v1/log_service";

/** Routing is visible to the operator only: users see neither the channels nor the attempts. */
const ADMIN_DETAILS = ["admin_info", "channel_id", "channel_name", "channel_type"] as const;

function detailsForUser(json: string): string {
  if (!ADMIN_DETAILS.some((name) => json.includes(name))) return json;
  try {
    const details = JSON.parse(json) as Record<string, unknown>;
    for (const name of ADMIN_DETAILS) delete details[name];
    return JSON.stringify(details);
  } catch {
    // Not readable means not known to be free of what users must not see.
    return "{}";
  }
}

/** A row as admins see it. */
export const toLogEntry = (row: LogRow): LogEntry => ({
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
});

/** A row as its own user sees it: without channels. */
export function toOwnLogEntry(row: LogRow): LogEntry {
  const entry = toLogEntry(row);
  return { ...entry, channel: 0, channel_name: "", other: detailsForUser(entry.other) };
}

/** An admin's filter. */
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
});

/** A user's filter on their own rows: it cannot name another user, nor ask about channels. */
export const toOwnLogFilter = (filter: LogFilter, userId: number): StoredFilter => ({
  ...toLogFilter(filter),
  userId,
  username: "",
  channel: 0,
});
