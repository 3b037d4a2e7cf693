import { LOG_TYPE } from "@turnpike/contract/codes";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import type { LogRow } from "@turnpike/proto/billing/v1/log_service";
import type { LogDoc } from "../store/usage-documents.ts";

/** The charge of a usage record; an error is charged nothing, whatever its quota. */
export const getCharge = (record: UsageRecord): number => (record.type === LOG_TYPE.consume ? record.quota : 0);

/** The agent session that a record names in its details. The relay writes them; most records have none, and are not parsed. */
function getSessionId({ other }: UsageRecord): string | undefined {
  if (!other.includes('"session_id"')) return undefined;
  const { session_id: id } = JSON.parse(other) as { readonly session_id?: unknown };
  return typeof id === "string" ? id : undefined;
}

/** The log row of a usage record. */
export function toUsageRow(record: UsageRecord, id: number): LogDoc {
  const sessionId = getSessionId(record);
  return {
    _id: id,
    createdAt: record.createdAtSeconds,
    type: record.type,
    userId: record.userId,
    username: record.username,
    tokenId: record.tokenId,
    tokenName: record.tokenName,
    modelName: record.modelName,
    channel: record.channelId,
    channelName: record.channelName,
    group: record.group,
    isStream: record.isStream,
    useTime: record.useTimeSeconds,
    promptTokens: record.promptTokens,
    completionTokens: record.completionTokens,
    quota: getCharge(record),
    ...(record.cost === undefined ? {} : { cost: record.cost }),
    ...(record.costSource === undefined ? {} : { costSource: record.costSource }),
    content: record.content,
    clientIp: record.clientIp,
    requestId: record.requestId,
    other: record.other,
    ...(record.errorCode === undefined ? {} : { errorCode: record.errorCode }),
    ...(record.errorStatus === undefined ? {} : { errorStatus: record.errorStatus }),
    ...(record.responseId === undefined ? {} : { responseId: record.responseId }),
    ...(sessionId === undefined ? {} : { sessionId }),
  };
}

/** The log text of an event other than a call (a top-up, an admin's action, a gift). */
export type LogEvent = {
  readonly type: number;
  readonly userId: number;
  readonly username: string;
  readonly quota: number;
  readonly content: string;
  readonly clientIp: string;
  readonly createdAt: number;
};

/** The log row of such an event. */
export const toEventRow = (event: LogEvent, id: number): LogDoc => ({
  _id: id,
  ...event,
  tokenId: 0,
  tokenName: "",
  modelName: "",
  channel: 0,
  channelName: "",
  group: "",
  isStream: false,
  useTime: 0,
  promptTokens: 0,
  completionTokens: 0,
  other: "{}",
});

/** A row as the service returns it: without what upstream charged. */
export const toLogRow = (doc: LogDoc): LogRow => ({
  id: doc._id,
  createdAt: doc.createdAt,
  type: doc.type,
  userId: doc.userId,
  username: doc.username,
  tokenId: doc.tokenId,
  tokenName: doc.tokenName,
  modelName: doc.modelName,
  channel: doc.channel,
  channelName: doc.channelName,
  group: doc.group,
  isStream: doc.isStream,
  useTime: doc.useTime,
  promptTokens: doc.promptTokens,
  completionTokens: doc.completionTokens,
  quota: doc.quota,
  content: doc.content,
  clientIp: doc.clientIp,
  requestId: doc.requestId ?? "",
  otherJson: doc.other,
  cost: undefined,
  costSource: "",
  refunded: doc.refunded ?? 0,
});

/** A row for administrators who read those of all users. */
export const toLogRowWithCost = (doc: LogDoc): LogRow => ({
  ...toLogRow(doc),
  cost: doc.cost,
  costSource: doc.costSource ?? "",
});
