import type { StoredCostSums } from "./cost-sums.ts";

/** One user's usage on one UTC day; `<day>:<user id>`. */
export type UserDayDoc = StoredCostSums & {
  _id: string;
  day: number;
  userId: number;
  username: string;
  count: number;
  quota: number;
  tokens: number;
};

/** What one token was charged on one UTC day, kept for as long as a month may last and some days; `<day>:<token id>`. */
export type TokenDayDoc = { _id: string; quota: number; expiresAt: Date };

/** One channel's calls on one UTC day; `<day>:<channel id>`. */
export type ChannelDayDoc = StoredCostSums & {
  _id: string;
  day: number;
  channelId: number;
  channelName: string;
  count: number;
  quota: number;
  tokens: number;
  /** Failed attempts, where logged. */
  errors: number;
  totalMs: number;
};

/** The site's latency in one hour: calls by latency bucket (keys are the buckets). */
export type HourHealthDoc = {
  _id: number;
  count: number;
  errors: number;
  total?: Record<string, number>;
  firstToken?: Record<string, number>;
};

/** What hours are kept of besides the whole site. */
export type HealthPart = "model" | "channel";

/** The calls and latencies of one model or one channel in one hour, kept for 8 days; `<hour>:<part>:<key>`. */
export type PartHealthDoc = {
  _id: string;
  by: HealthPart;
  /** The model, or the channel's number. */
  key: string;
  hour: number;
  count: number;
  errors: number;
  totalMs: number;
  total?: Record<string, number>;
  firstToken?: Record<string, number>;
  expiresAt: Date;
};

/** The calls of one model by one channel for one group on one UTC day; `<day>:<JSON of channel id, group, model>`. */
export type MarginDayDoc = StoredCostSums & {
  _id: string;
  day: number;
  /** 0 for calls that reached no channel. */
  channelId: number;
  channelName: string;
  group: string;
  modelName: string;
  count: number;
  quota: number;
};
