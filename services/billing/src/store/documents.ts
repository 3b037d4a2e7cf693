import type { UsageRecord } from "@turnpike/shared/events/relay";
import type { SummedCall } from "./sum-ids.ts";
import type { StoredCostSums } from "./cost-sums.ts";

/**
 * Documents that billing stores. All amounts are integer quota units; times are unix seconds unless the name states
 * otherwise.
 */

/** A balance: quota = credits − spent. Both change only together with a ledger entry or a posted record. */
export type AccountDoc = {
  _id: number;
  credits: number;
  spent: number;
  /** What corrections of estimates took off `spent` so far. It only grows, and so does spent + lowered. */
  lowered?: number;
  requestCount: number;
  /** credits − spent, for sorting only; a job corrects what earlier versions wrote without it. */
  balance?: number;
  /** When the newest posted call began. */
  lastCallAt?: number;
  /** Increases with each change of credits, so that Redis never reverts to older ones. */
  rev: number;
  /** When the credits last changed; the sweep writes such accounts to Redis. */
  changedAtMs: number;
};

/** One change of credits; the natural id makes a repeat change nothing. */
export type LedgerDoc = {
  _id: string;
  userId: number;
  kind: string;
  amount: number;
  creditsAfter: number;
  /** credits − spent at that moment, as far as usage was posted; missing on entries older than this field. */
  quotaAfter?: number;
  reason: string;
  createdAtMs: number;
};

/** An sk- key. Its remaining budget is budget − spent. */
export type TokenDoc = {
  _id: number;
  userId: number;
  /** The key, encrypted; "" once the token is deleted, and if only the key's SHA-256 was imported. */
  keyBox: string;
  /** HMAC of the key, or of its SHA-256 (token-key-hash.ts). */
  keyHash: string;
  name: string;
  status: number;
  createdAt: number;
  accessedAt: number;
  /** -1 never. */
  expiresAt: number;
  budget: number;
  spent: number;
  /** As for an account. */
  lowered?: number;
  /** The part spent on the system the token was imported from, which has no log rows here. */
  openingSpent?: number;
  /** Increases with each change of the budget. */
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
  /**
   * day, week, month: afterwards the remaining quota is periodQuota again. "", or missing on older tokens, for never.
   */
  budgetPeriod?: string;
  periodQuota?: number;
  /** When the next period begins; 0 for never. */
  periodEndsAt?: number;
  /** The ids of the last changes of the budget, the newest last. */
  quotaActions?: string[];
  /** 0 for no limit. */
  tokensPerMinute?: number;
  /** Concurrent calls; 0 for no limit. */
  concurrentCalls?: number;
  /** Whether responses of temperature 0 may be cached and reused. */
  responseCache?: boolean;
  /** JSON of the options ModelAliases, ModelFallbacks and FallbackCauses for this token; "" or missing for none. */
  modelAliases?: string;
  modelFallbacks?: string;
  fallbackCauses?: string;
  /** 0 while it exists; the row stays after deletion because its spend does. */
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
  /** This site's id, which the provider's notifications name. */
  tradeNo: string;
  userId: number;
  username: string;
  provider: string;
  method: string;
  /** As requested: dollars, or quota units where the site showed them. */
  amount: number;
  quota: number;
  moneyCents: number;
  currency: string;
  /** pending, paid, failed, expired, mismatched, refunded, returned; see OrderStatus. */
  status: string;
  createdAt: number;
  paidAt: number;
  refundedAt: number;
  refundedQuota: number;
  refundReason: string;
  /** The rebate's recipient; 0 for none. */
  inviterId: number;
  inviterName: string;
  rebateQuota: number;
  /** The provider's checkout id, which its notifications must name; "" when it has none. */
  checkoutReference: string;
  /** The provider's payment id, "" before payment. */
  providerReference: string;
  /** Payments that were not credited: of another amount, or a second one. */
  receipts?: OrderReceipt[];
  /** Why an administrator credited the order; absent where a notification did. */
  settleReason?: string;
};

/** A payment that a provider reported and that was not credited. */
export type OrderReceipt = {
  reference: string;
  moneyCents: number;
  currency: string;
  receivedAt: number;
};

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

/** A usage record that could not be posted, stored for inspection. */
export type DeadLetterDoc = { payload: string; reason: string; createdAt: Date };

/** A reconciliation run. */
export type LedgerCheckDoc = {
  runId: string;
  state: "running" | "done" | "failed";
  startedAtMs: number;
  seenAtMs: number;
  finishedAtMs: number;
  isClean: boolean;
  lines: string[];
};

/** A scheduled comparison of a catalogue: how many prices are proposed, how many of them change beyond the limit, how many were applied. */
export type CatalogueProposalDoc = {
  readonly checkedAtMs: number;
  readonly source: string;
  readonly url: string;
  /** Why the catalogue could not be read the last time; "" for a comparison. */
  readonly problem: string;
  readonly added: number;
  readonly changed: number;
  readonly large: number;
  readonly applied: number;
};

/** State of this service's own jobs. */
export type StateDoc = {
  _id: "logs" | "sweep" | "ledger_check" | "below_cost" | "catalogue";
  /** logs: rows before this time have been deleted on purpose. */
  deletedBefore?: number;
  /** logs: some posted records never had a row. */
  hasUnlogged?: boolean;
  /** logs: every existing row is counted in the tallies. */
  isTallied?: boolean;
  /** logs: the same for models, channels and groups combined. */
  isCrossTallied?: boolean;
  /** logs: a tool is bulk-loading the log until then, and creates the indexes itself. */
  bulkUntilMs?: number;
  /** sweep: changes up to this time are in Redis. */
  untilMs?: number;
  /** ledger_check: the last run, who started it, and its last heartbeat. */
  check?: LedgerCheckDoc;
  /** below_cost: what operators were notified of on that day. */
  belowCost?: { day: number; keys: string[] };
  /** catalogue: the last scheduled comparison. */
  catalogue?: CatalogueProposalDoc;
};
