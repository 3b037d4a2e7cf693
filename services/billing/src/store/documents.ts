/**
 * What billing stores. All amounts are whole quota units; times are unix seconds unless the name says otherwise.
 */

/** A balance: quota = credits − spent. Both only ever change together with a ledger entry or a booked record. */
export type AccountDoc = {
  _id: number;
  credits: number;
  spent: number;
  requestCount: number;
  /** Grows with each change of credits, so that Redis never goes back to older ones. */
  rev: number;
  /** When the credits last changed; the sweep brings such accounts to Redis. */
  changedAtMs: number;
};

/** One change of credits; the natural id makes a repeat change nothing. */
export type LedgerDoc = {
  _id: string;
  userId: number;
  kind: string;
  amount: number;
  creditsAfter: number;
  /** credits − spent at that moment, as far as usage was booked; missing on entries older than this field. */
  quotaAfter?: number;
  reason: string;
  createdAtMs: number;
};

/** An sk- key. What is left of its budget is budget − spent. */
export type TokenDoc = {
  _id: number;
  userId: number;
  /** The key, sealed; "" once the token is deleted. */
  keyBox: string;
  /** HMAC of the key. */
  keyHash: string;
  name: string;
  status: number;
  createdAt: number;
  accessedAt: number;
  /** -1 never. */
  expiresAt: number;
  budget: number;
  spent: number;
  /** What of it was spent where the token came from, so that no log row here tells of it. */
  openingSpent?: number;
  /** Grows with each change of the budget. */
  rev: number;
  changedAtMs: number;
  unlimited: boolean;
  modelLimitsEnabled: boolean;
  modelLimits: string;
  allowIps: string;
  group: string;
  rateLimitEnabled: boolean;
  rateLimitPeriod: number;
  rateLimitCount: number;
  rateLimitSuccess: number;
  /** day, week, month: after it the remaining quota is periodQuota again. "", or missing on older tokens, for never. */
  budgetPeriod?: string;
  periodQuota?: number;
  /** When the next period begins; 0 for never. */
  periodEndsAt?: number;
  /** 0 for no limit. */
  tokensPerMinute?: number;
  /** Calls at one moment; 0 for no limit. */
  concurrentCalls?: number;
  /** Answers of temperature 0 may be kept and given again. */
  responseCache?: boolean;
  /** 0 while it exists; the row stays, since its spend does. */
  deletedAt: number;
};

/** A redemption or gift code. */
export type RedemptionDoc = {
  _id: number;
  key: string;
  name: string;
  status: number;
  quota: number;
  createdAt: number;
  redeemedAt: number;
  usedUserId: number;
  isGift: boolean;
  /** -1 unlimited. */
  maxUses: number;
  usedCount: number;
  validFrom: number;
  validUntil: number;
};

/** A user's use of a code: `<code id>:<user id>`. */
export type RedemptionUseDoc = { _id: string; codeId: number; userId: number; createdAt: number };

/** One purchase of quota. Money is in hundredths of the currency. */
export type OrderDoc = {
  _id: number;
  /** Ours; what the provider's notices name. */
  tradeNo: string;
  userId: number;
  username: string;
  provider: string;
  method: string;
  /** As it was asked for: dollars, or quota units where the site showed them. */
  amount: number;
  quota: number;
  moneyCents: number;
  currency: string;
  /** pending, paid, failed, expired, refunded. */
  status: string;
  createdAt: number;
  paidAt: number;
  refundedAt: number;
  refundedQuota: number;
  refundReason: string;
  /** Whom a rebate goes to; 0 for nobody. */
  inviterId: number;
  inviterName: string;
  rebateQuota: number;
  /** The provider's number of the checkout, which its notices must name; "" when it has none. */
  checkoutReference: string;
  /** The provider's number of the payment, "" before it. */
  providerReference: string;
};

/** A row of the usage log, as people read it. */
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
  content: string;
  clientIp: string;
  /** Missing on rows that no call made. */
  requestId?: string;
  other: string;
};

/** The id of a booked record that has no log row: logging was off, or the row was deleted. Expires by itself. */
export type PostedRecordDoc = { _id: string; expiresAt: Date };

/** Sums of one hour and model; `<user id>:<hour>:<model>` for a user, `<hour>:<model>` for the site. */
export type RollupSums = { count: number; quota: number; promptTokens: number; completionTokens: number };
export type SiteRollupDoc = RollupSums & { _id: string; hour: number; modelName: string };
export type RollupDoc = RollupSums & {
  _id: string;
  hour: number;
  modelName: string;
  userId: number;
  username: string;
};

/**
 * How many log rows a day has of one thing, by type and hour of the day, and what the consumption among them cost. `dim` says of
 * what: a all, u a user, t a user's token name, m a model, c a channel, g a group, e a user's rows of a model that are no
 * consumption (of those the hourly sums know), x a model by a channel for a group, h one hour of what is no user's, by type and minute. Kept in the transaction that
 * inserts the rows.
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

/** Calls and tokens of one second, in all and by model, channel and group (keys are escaped). Expires by itself. */
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

/** What a channel has served. */
export type ChannelTotalDoc = { _id: number; quota: number; requestCount: number };

/** A usage record that could not be booked, kept for a person to look at. */
export type DeadLetterDoc = { payload: string; reason: string; createdAt: Date };

/** A comparison of the books. */
export type LedgerCheckDoc = {
  runId: string;
  state: "running" | "done" | "failed";
  startedAtMs: number;
  seenAtMs: number;
  finishedAtMs: number;
  isClean: boolean;
  lines: string[];
};

/** What this service remembers about its own work. */
export type StateDoc = {
  _id: "logs" | "sweep" | "ledger_check";
  /** logs: rows before this time have been deleted on purpose. */
  deletedBefore?: number;
  /** logs: some booked records never had a row. */
  hasUnlogged?: boolean;
  /** logs: every row there is has been counted in the tallies. */
  isTallied?: boolean;
  /** logs: the same by models, channels and groups together. */
  isCrossTallied?: boolean;
  /** logs: a tool fills the log in bulk until then, and makes the indexes itself. */
  bulkUntilMs?: number;
  /** sweep: changes up to this time are in Redis. */
  untilMs?: number;
  /** ledger_check: the last run, by whom, and when it last showed that it is alive. */
  check?: LedgerCheckDoc;
};
