// Amounts are integer quota units; times are unix seconds unless the name states otherwise.

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
