import { LOG_TYPE } from "@turnpike/contract/codes";
import type { mongo } from "mongoose";
import type { Collections } from "./collections.ts";

type Index = mongo.IndexDescription & { readonly name: string };

/** The order of every page. The type at the end lets rows be counted and skipped without being read. */
const NEWEST = { createdAt: -1, _id: -1, type: 1 } as const;
/** Rows of one value, newest first, within a range of time: every filter of the log is one of these. */
const logsBy = (field: string): Index => ({ name: getLogIndex(field), key: { [field]: 1, ...NEWEST } });
/** The name of the index of a log filter's field. */
export const getLogIndex = (field: string): string => `page_by_${field}`;
/**
 * The indexes of a user's rows and of a token name's: they cover the other filter fields and the summed fields, so that
 * only the shown rows are read. User ids also stand for names, which need no index of their own.
 */
export const LOG_WIDE_INDEX = { user: "page_of_user", tokenName: "page_of_token_name" } as const;
/** The index of all log rows by time. */
export const LOG_TIME_INDEX = "page_all";

/** The index of non-consumption rows: consumption is nearly all rows, and the time index finds it. */
export const LOG_OTHERS_INDEX = "page_by_other_type";
/** The indexes of rows with a note: failed attempts and events, a few percent of all. */
export const LOG_NOTE_INDEX = {
  byText: "search_note",
  byTime: "search_note_by_time",
  byUser: "search_note_of_user",
} as const;

/** The index of the calls of agent sessions. */
export const LOG_SESSION_INDEX = "page_by_session";

/** The index of the calls of a user by the id of the response. It is sorted, since some upstreams give every response the same id. */
export const LOG_RESPONSE_INDEX = "find_by_response";

/** The indexes of failed calls. */
export const LOG_ERROR_INDEX = { byCode: "page_by_error_code", byStatus: "page_by_error_status" } as const;

const otherTypes: number[] = Object.values(LOG_TYPE).filter((type) => type !== LOG_TYPE.consume);
const withContent = { partialFilterExpression: { content: { $gt: "" } } };

/** Each index is named for the query it serves. */
export const INDEXES: { readonly [Name in keyof Collections]: readonly Index[] } = {
  accounts: [
    { name: "sweep_changed", key: { changedAtMs: 1 } },
    { name: "list_by_balance", key: { balance: -1, _id: -1 } },
    { name: "list_by_spent", key: { spent: -1, _id: -1 } },
    { name: "list_by_last_call", key: { lastCallAt: -1, _id: -1 } },
  ],
  ledger: [
    { name: "list_of_user", key: { userId: 1, createdAtMs: -1, _id: -1 } },
    { name: "list_by_kind", key: { kind: 1, createdAtMs: -1, _id: -1 } },
    { name: "list_all", key: { createdAtMs: -1, _id: -1 } },
  ],
  tokens: [
    { name: "find_by_key", key: { keyHash: 1 }, unique: true },
    { name: "list_of_user", key: { userId: 1, deletedAt: 1, _id: -1 } },
    { name: "due_periods", key: { periodEndsAt: 1 }, partialFilterExpression: { periodEndsAt: { $gt: 0 } } },
    { name: "sweep_changed", key: { changedAtMs: 1 } },
    { name: "find_by_group", key: { group: 1 } },
  ],
  redemptions: [
    { name: "find_by_key", key: { key: 1 }, unique: true },
    { name: "list_by_name", key: { name: 1, _id: -1 } },
  ],
  redemptionUses: [],
  orders: [
    { name: "find_by_trade_no", key: { tradeNo: 1 }, unique: true },
    { name: "list_of_user", key: { userId: 1, _id: -1 } },
    { name: "list_by_status", key: { status: 1, _id: -1 } },
    { name: "list_by_username", key: { username: 1, _id: -1 } },
    { name: "list_by_time", key: { createdAt: -1, _id: -1 } },
  ],
  tasks: [
    { name: "find_by_request", key: { requestId: 1 }, unique: true },
    { name: "find_by_upstream_id", key: { upstreamId: 1, _id: 1 } },
    { name: "due_polls", key: { pollAtMs: 1 }, partialFilterExpression: { isOpen: true } },
    { name: "due_deadlines", key: { deadlineAtMs: 1 }, partialFilterExpression: { isOpen: true } },
    { name: "due_refunds", key: { refundAtMs: 1 }, partialFilterExpression: { refundAtMs: { $gt: 0 } } },
    { name: "list_all", key: { platform: 1, createdAtMs: -1, _id: -1 } },
    { name: "list_of_user", key: { userId: 1, platform: 1, createdAtMs: -1, _id: -1 } },
    { name: "list_by_channel", key: { channelId: 1, platform: 1, createdAtMs: -1, _id: -1 } },
  ],
  priceBook: [],
  priceChanges: [
    { name: "list_all", key: { createdAtSeconds: -1, _id: -1 } },
    { name: "list_by_key", key: { key: 1, createdAtSeconds: -1, _id: -1 } },
  ],
  logs: [
    {
      name: "find_by_request",
      key: { requestId: 1 },
      unique: true,
      partialFilterExpression: { requestId: { $exists: true } },
    },
    // Covers the fields that are summed over partial hours.
    { name: LOG_TIME_INDEX, key: { createdAt: -1, _id: -1, type: 1, quota: 1 } },
    {
      name: LOG_WIDE_INDEX.user,
      key: { userId: 1, ...NEWEST, channel: 1, group: 1, tokenName: 1, modelName: 1, username: 1, quota: 1 },
    },
    {
      name: LOG_OTHERS_INDEX,
      key: { type: 1, createdAt: -1, _id: -1 },
      partialFilterExpression: { type: { $in: otherTypes } },
    },
    logsBy("channel"),
    logsBy("modelName"),
    {
      name: LOG_WIDE_INDEX.tokenName,
      key: { tokenName: 1, ...NEWEST, userId: 1, channel: 1, group: 1, modelName: 1, quota: 1 },
    },
    logsBy("tokenId"),
    logsBy("group"),
    {
      name: LOG_ERROR_INDEX.byCode,
      key: { errorCode: 1, ...NEWEST },
      partialFilterExpression: { errorCode: { $exists: true } },
    },
    {
      name: LOG_ERROR_INDEX.byStatus,
      key: { errorStatus: 1, ...NEWEST },
      partialFilterExpression: { errorStatus: { $exists: true } },
    },
    {
      name: LOG_SESSION_INDEX,
      key: { sessionId: 1, ...NEWEST },
      partialFilterExpression: { sessionId: { $exists: true } },
    },
    {
      name: LOG_RESPONSE_INDEX,
      key: { userId: 1, responseId: 1, ...NEWEST },
      partialFilterExpression: { responseId: { $exists: true } },
    },
    { name: LOG_NOTE_INDEX.byText, key: { content: 1, createdAt: -1, _id: -1 }, ...withContent },
    { name: LOG_NOTE_INDEX.byTime, key: { createdAt: -1, _id: -1, content: 1 }, ...withContent },
    { name: LOG_NOTE_INDEX.byUser, key: { userId: 1, createdAt: -1, _id: -1, content: 1 }, ...withContent },
  ],
  logTallies: [
    { name: "count_of_value", key: { dim: 1, value: 1, userId: 1, day: 1 } },
    {
      name: "count_of_username",
      key: { dim: 1, username: 1, day: 1 },
      partialFilterExpression: { username: { $exists: true } },
    },
    {
      name: "count_of_model",
      key: { modelName: 1, day: 1, channel: 1, group: 1 },
      partialFilterExpression: { modelName: { $exists: true } },
    },
    {
      name: "count_of_channel",
      key: { channel: 1, day: 1, group: 1 },
      partialFilterExpression: { channel: { $exists: true } },
    },
    { name: "clear", key: { day: 1 } },
  ],
  logSeconds: [{ name: "expire", key: { expiresAt: 1 }, expireAfterSeconds: 0 }],
  postedRecords: [{ name: "expire", key: { expiresAt: 1 }, expireAfterSeconds: 0 }],
  rollups: [
    { name: "list_of_user", key: { userId: 1, hour: 1 } },
    { name: "list_of_username", key: { username: 1, hour: 1 } },
  ],
  siteRollups: [{ name: "list_all", key: { hour: 1 } }],
  channelTotals: [],
  userDays: [{ name: "sum_days", key: { day: 1 } }],
  tokenDays: [{ name: "expire", key: { expiresAt: 1 }, expireAfterSeconds: 0 }],
  channelDays: [{ name: "sum_days", key: { day: 1 } }],
  marginDays: [{ name: "sum_days", key: { day: 1 } }],
  hourHealth: [],
  partHealth: [
    { name: "list_hours", key: { by: 1, hour: 1, key: 1 } },
    { name: "expire", key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
  providerReports: [
    { name: "list_of_channel", key: { channelId: 1, day: -1 } },
    { name: "by_day", key: { day: 1 } },
  ],
  deadLetters: [{ name: "list_all", key: { createdAt: -1 } }],
  state: [],
};
