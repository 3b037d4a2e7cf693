import type { StoredCostSums } from "./cost-sums.ts";

// Amounts are integer quota units; times are unix seconds unless the name states otherwise.

/** Sums of one hour and model; `<user id>:<hour>:<model>` for a user, `<hour>:<model>` for the site. */
export type RollupSums = StoredCostSums & {
  count: number;
  quota: number;
  promptTokens: number;
  completionTokens: number;
  /** What of it came in the second, third and last quarter, for days that do not begin at a full hour of UTC. */
  quarters?: Partial<Record<Quarter, QuarterSums>>;
};

/** A quarter of an hour after the first. */
export type Quarter = 1 | 2 | 3;

export type QuarterSums = { count: number; quota: number; tokens: number };

export type SiteRollupDoc = RollupSums & { _id: string; hour: number; modelName: string };

export type RollupDoc = RollupSums & {
  _id: string;
  hour: number;
  modelName: string;
  userId: number;
  username: string;
};

/**
 * Log row counts of one value per day, by type and hour of the day, and the cost of the consumption among them. `dim`
 * is the dimension: a all, u a user, t a user's token name, m a model, c a channel, g a group, e a user's
 * non-consumption rows of a model (the hourly sums have the consumption), x a model by a channel for a group, h one
 * hour of site-wide rows, by type and minute. Written in the transaction that inserts the rows.
 */
export type TallyDoc = {
  _id: string;
  dim: TallyDim;
  value: string;
  userId?: number;
  username?: string;
  modelName?: string;
  channel?: number;
  group?: string;
  /** Days since 1970. */
  day: number;
  rows: Readonly<Record<string, Readonly<Record<string, number>>>>;
  quota?: Readonly<Record<string, number>>;
};

export type TallyDim = "a" | "u" | "t" | "n" | "m" | "c" | "g" | "e" | "x" | "h";

/**
 * Calls and tokens of one second, in total and by model, channel and group (keys are escaped). Expires automatically.
 */
export type SecondDoc = {
  _id: number;
  rows: number;
  tokens: number;
  m?: Readonly<Record<string, SecondSums>>;
  c?: Readonly<Record<string, SecondSums>>;
  g?: Readonly<Record<string, SecondSums>>;
  expiresAt: Date;
};

export type SecondSums = { readonly n: number; readonly t: number };

/** A channel's totals. */
export type ChannelTotalDoc = { _id: number; quota: number; requestCount: number };
