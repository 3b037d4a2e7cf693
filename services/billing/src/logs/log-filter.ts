import { LOG_TYPE } from "@turnpike/contract/codes";
import { OPTIONS } from "@turnpike/contract/options/option-definitions";
import type { LogFilter } from "@turnpike/proto/billing/v1/log_service";
import type { mongo } from "mongoose";
import { toLikePattern } from "../store/query.ts";
import type { LogDoc } from "../store/usage-documents.ts";

export const ANY_LOG: LogFilter = {
  type: 0,
  userId: 0,
  username: "",
  tokenName: "",
  modelName: "",
  startSeconds: 0,
  endSeconds: 0,
  channel: 0,
  group: "",
  requestId: "",
  tokenId: 0,
  error: "",
  sessionId: "",
  responseId: "",
};

/** The types of rows that clearing the log deletes: served and failed calls. */
export const CALL_TYPES: readonly number[] = [LOG_TYPE.consume, LOG_TYPE.error];
/** The types that it keeps: what happened to money and accounts. */
export const KEPT_TYPES: readonly number[] = Object.values(LOG_TYPE).filter((type) => !CALL_TYPES.includes(type));

const ATTEMPTS_MAX = (OPTIONS.RetryTimes.max ?? 10) + 1;

/**
 * The rows of a call: its own, that of its refusal (`<request id>-e0`) and those of its failed attempts (`-e1` and on).
 */
export const getCallRowIds = (requestId: string): string[] => [
  requestId,
  ...Array.from({ length: ATTEMPTS_MAX + 1 }, (_, index) => `${requestId}-e${index}`),
];

/** True for an HTTP status, false for the code of an error. */
export const isStatus = (error: string): boolean => /^[1-5]\d{2}$/.test(error);

/** Failed calls by HTTP status or code. A user's are found by the index of notes, which lacks rows without a message. */
const toErrorQuery = ({ error, userId }: LogFilter): mongo.Filter<LogDoc> => ({
  ...(isStatus(error) ? { errorStatus: Number(error) } : { errorCode: error }),
  ...(userId > 0 ? { content: { $gt: "" } } : {}),
});

/** The query of a filter; both ends of the time range are inclusive. */
export function toLogQuery(filter: LogFilter): mongo.Filter<LogDoc> {
  const { startSeconds, endSeconds } = filter;
  const time = {
    ...(startSeconds > 0 ? { $gte: startSeconds } : {}),
    ...(endSeconds > 0 ? { $lte: endSeconds } : {}),
  };
  return {
    ...(filter.type > 0 ? { type: filter.type } : {}),
    ...(filter.userId > 0 ? { userId: filter.userId } : {}),
    ...(filter.username === "" ? {} : { username: filter.username }),
    ...(filter.tokenName === "" ? {} : { tokenName: filter.tokenName }),
    ...(filter.modelName === "" ? {} : { modelName: toLikePattern(filter.modelName) }),
    ...(filter.channel > 0 ? { channel: filter.channel } : {}),
    ...(filter.group === "" ? {} : { group: filter.group }),
    ...(filter.requestId === "" ? {} : { requestId: { $in: getCallRowIds(filter.requestId) } }),
    ...(filter.tokenId > 0 ? { tokenId: filter.tokenId } : {}),
    ...(filter.error === "" ? {} : toErrorQuery(filter)),
    ...(filter.sessionId === "" ? {} : { sessionId: filter.sessionId }),
    ...(filter.responseId === "" ? {} : { responseId: filter.responseId }),
    ...(Object.keys(time).length > 0 ? { createdAt: time } : {}),
  };
}

/** True when the hourly sums cover everything that the filter tests. */
export const isInRollups = (filter: LogFilter): boolean =>
  filter.tokenName === "" &&
  filter.tokenId === 0 &&
  filter.channel === 0 &&
  filter.group === "" &&
  filter.requestId === "" &&
  filter.error === "" &&
  filter.sessionId === "" &&
  filter.responseId === "";
