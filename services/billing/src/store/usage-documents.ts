import type { UsageRecord } from "@turnpike/shared/events/relay";
import type { SummedCall } from "./sum-ids.ts";

// Amounts are integer quota units; times are unix seconds unless the name states otherwise.

/** A row of the usage log, as shown to users. */
export type LogDoc = {
  _id: number;
  createdAt: number;
  type: number;
  userId: number;
  username: string;
  tokenId: number;
  tokenName: string;
  modelName: string;
  channel: number;
  channelName: string;
  group: string;
  isStream: boolean;
  useTime: number;
  promptTokens: number;
  completionTokens: number;
  quota: number;
  /** What the upstream charges for the call; missing while that is unknown. Only administrators see it. */
  cost?: number;
  costSource?: string;
  /** The part of the quota that was refunded, and the cost that upstream did not charge in the end. */
  refunded?: number;
  reversedCost?: number;
  content: string;
  clientIp: string;
  /** Missing on rows of events other than calls. */
  requestId?: string;
  /** Of failed calls only. */
  errorCode?: string;
  errorStatus?: number;
  /** The id that upstream gave the response of a charged call. */
  responseId?: string;
  /** Of calls whose headers name an agent session. */
  sessionId?: string;
  other: string;
};

/**
 * The id of a posted record without a log row: logging was off, the row was deleted, or the call was released. `estimate` is
 * a record that the relay's own charge still replaces: one recovered from a hold, a released or an unsigned one. Expires
 * automatically.
 */
export type PostedRecordDoc = { _id: string; expiresAt: Date; estimate?: UsageRecord; charge?: PostedCharge };

/** A charge without a log row that may be refunded: what its refund is taken out of. */
export type PostedCharge = SummedCall & { readonly quota: number; readonly cost?: number };

/** A usage record that could not be posted, stored for inspection. */
export type DeadLetterDoc = { payload: string; reason: string; createdAt: Date };
