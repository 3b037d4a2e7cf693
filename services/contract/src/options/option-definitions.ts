import {
  DEFAULT_CACHE_RATIO,
  DEFAULT_COMPLETION_RATIO,
  DEFAULT_CREATE_CACHE_RATIO,
  DEFAULT_IMAGE_RATIO,
  DEFAULT_MODEL_PRICE,
  DEFAULT_MODEL_RATIO,
} from "../pricing/default-prices.ts";
import { DEFAULT_TOOL_PRICES } from "../pricing/tool-prices.ts";

/**
 * What an option holds. All are text on the wire: "boolean" is true or false, "integer" and "number" are decimal text (with
 * bounds), "json" is a JSON document of the shape named by `shape`.
 */
export type OptionDefinition = {
  readonly type: "boolean" | "integer" | "number" | "text" | "json";
  readonly default: string;
  readonly min?: number;
  readonly max?: number;
  readonly choices?: readonly string[];
  /** "ratios": name → number ≥ 0; "texts": name → text; "object", "array": any JSON of that kind. */
  readonly shape?: "ratios" | "texts" | "object" | "array";
  /** What a text, or each entry of an object or array, must look like; see option-formats.ts. */
  readonly format?: OptionFormat;
  /** The longest text, in characters. */
  readonly maxLength?: number;
  /** Written but never read back; kept encrypted. */
  readonly secret?: true;
  /** Options that must hold something before this boolean may become true; "a|b" is met by either. */
  readonly needs?: readonly string[];
};

/**
 * Texts: "url" and "base-url" (http or https; of a base address slashes at the end are dropped), "image" (address, path or data),
 * "host", "domains" (comma list), "zone" (IANA time zone), "words" (lines, `regex:` before expressions), "mailbox", "stylesheet".
 * Entries: "name" (text), "chat" ({name: address}), "limit" ([all, successful]), "headers" ({name: text or texts}), "ratios" ({name:
 * number from 0}), "count" (whole number above 0).
 */
export type OptionFormat =
  | "url"
  | "base-url"
  | "image"
  | "host"
  | "domains"
  | "zone"
  | "words"
  | "mailbox"
  | "stylesheet"
  | "name"
  | "chat"
  | "limit"
  | "headers"
  | "ratios"
  | "count";

/** More quota than anybody is given: two million dollars at the usual rate. */
const QUOTA_MAX = 1_000_000_000_000;
const NAME_LENGTH_MAX = 100;

const boolean = (value: boolean, ...needs: string[]): OptionDefinition => ({
  type: "boolean",
  default: String(value),
  ...(needs.length === 0 ? {} : { needs }),
});
const formatted = (format: OptionFormat, value = ""): OptionDefinition => ({ type: "text", default: value, format });
const text = (value = ""): OptionDefinition => ({ type: "text", default: value });
const secret = (): OptionDefinition => ({ type: "text", default: "", secret: true });
const choice = (value: string, ...choices: string[]): OptionDefinition => ({ type: "text", default: value, choices });
const integer = (value: number, min = 0, max = Number.MAX_SAFE_INTEGER): OptionDefinition => ({
  type: "integer",
  default: String(value),
  min,
  max,
});
const number = (value: number | "", min = 0, max = Number.MAX_SAFE_INTEGER): OptionDefinition => ({
  type: "number",
  default: String(value),
  min,
  max,
});
const quota = (value: number): OptionDefinition => integer(value, 0, QUOTA_MAX);
const json = (
  shape: NonNullable<OptionDefinition["shape"]>,
  value: unknown,
  format?: OptionFormat,
): OptionDefinition => ({
  type: "json",
  shape,
  default: JSON.stringify(value),
  ...(format === undefined ? {} : { format }),
});

/** Every option of the site. An unknown key is refused; a row here is the whole job of adding one. */
export const OPTIONS = {
  // Sign-in and registration
  PasswordLoginEnabled: boolean(true),
  PasswordRegisterEnabled: boolean(true),
  RegisterEnabled: boolean(true),
  EmailVerificationEnabled: boolean(false),
  GitHubOAuthEnabled: boolean(false, "GitHubClientId", "GitHubClientSecret"),
  LinuxDOOAuthEnabled: boolean(false, "LinuxDOClientId", "LinuxDOClientSecret"),
  TelegramOAuthEnabled: boolean(false, "TelegramBotToken", "TelegramBotName"),
  WeChatAuthEnabled: boolean(false, "WeChatServerAddress", "WeChatServerToken"),
  TurnstileCheckEnabled: boolean(false, "TurnstileSiteKey", "TurnstileSecretKey"),
  EmailDomainRestrictionEnabled: boolean(false, "EmailDomainWhitelist"),
  EmailAliasRestrictionEnabled: boolean(false),
  EmailDomainWhitelist: formatted(
    "domains",
    "gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com",
  ),
  LoginFailureLimit: integer(10),
  LoginFailureWindowMinutes: integer(10, 1),
  GitHubClientId: text(),
  GitHubClientSecret: secret(),
  LinuxDOClientId: text(),
  LinuxDOClientSecret: secret(),
  LinuxDOMinimumTrustLevel: integer(0, 0, 4),
  TelegramBotToken: secret(),
  TelegramBotName: text(),
  WeChatServerAddress: formatted("base-url"),
  WeChatServerToken: secret(),
  WeChatAccountQRCodeImageURL: formatted("image"),
  TurnstileSiteKey: text(),
  TurnstileSecretKey: secret(),
  "oidc.enabled": boolean(false, "oidc.client_id", "oidc.well_known|oidc.authorization_endpoint"),
  "oidc.client_id": text(),
  "oidc.client_secret": secret(),
  "oidc.well_known": formatted("url"),
  "oidc.authorization_endpoint": formatted("url"),
  "oidc.token_endpoint": formatted("url"),
  "oidc.user_info_endpoint": formatted("url"),
  SecretOptionsRootOnly: boolean(false),
  // Mail
  SMTPServer: formatted("host"),
  SMTPPort: integer(587, 1, 65_535),
  SMTPAccount: text(),
  SMTPFrom: formatted("mailbox"),
  SMTPToken: secret(),
  SMTPSSLEnabled: boolean(false),
  // Address and payment
  ServerAddress: formatted("base-url"),
  WorkerUrl: formatted("base-url"),
  WorkerValidKey: secret(),
  PayAddress: formatted("base-url"),
  CustomCallbackAddress: formatted("base-url"),
  EpayId: text(),
  EpayKey: secret(),
  Price: number(7.3),
  MinTopUp: integer(1),
  TopupGroupRatio: json("ratios", { default: 1, vip: 1, svip: 1 }),
  StripeApiSecret: secret(),
  StripeWebhookSecret: secret(),
  StripePriceId: text(),
  StripeUnitPrice: number(8),
  StripeMinTopUp: integer(1, 1),
  // Currencies of two decimals only.
  StripeCurrency: choice("usd", "usd", "eur", "gbp", "cny", "hkd", "twd", "sgd", "aud", "cad", "chf", "inr", "brl"),
  StripePromotionCodesEnabled: boolean(false),
  ReverseProxyEnabled: boolean(false),
  ReverseProxyProvider: choice("nginx", "nginx", "cloudflare"),
  // Look and content
  SystemName: { type: "text", default: "Turnpike", maxLength: NAME_LENGTH_MAX },
  Logo: formatted("image"),
  Footer: text(),
  Notice: text(),
  About: text(),
  HomePageContent: text(),
  custom_head_html: text(),
  global_css: formatted("stylesheet"),
  global_js: text(),
  // Operation
  TopUpLink: formatted("url"),
  "general_setting.docs_link": formatted("url"),
  "general_setting.ping_interval_enabled": boolean(false),
  "general_setting.ping_interval_seconds": integer(60, 1),
  QuotaPerUnit: number(500_000, 1),
  RetryTimes: integer(3, 0, 10),
  /** No further attempt of a call after this long; 0 for no end. */
  RetryBudgetSeconds: integer(120, 0, 3_600),
  /** How long a key that answered with Retry-After is left alone at most; 0 not at all. */
  RetryAfterMaxSeconds: integer(60, 0, 3_600),
  LatencyRoutingEnabled: boolean(false),
  StickyRoutingEnabled: boolean(false),
  ResponseCacheEnabled: boolean(false),
  /** What a cached answer costs, against the price of the call. */
  ResponseCacheRatio: number(0.1, 0, 1),
  ResponseCacheSeconds: integer(3_600, 1, 2_592_000),
  ResponseCacheEntries: integer(2_000, 1, 1_000_000),
  /** How long what responses said can be referred to where they are served through chat; 0 not at all. */
  ResponseItemsSeconds: integer(3_600, 0, 2_592_000),
  DisplayInCurrencyEnabled: boolean(true),
  DisplayTokenStatEnabled: boolean(true),
  DefaultCollapseSidebar: boolean(false),
  DemoSiteEnabled: boolean(false),
  SelfUseModeEnabled: boolean(false),
  TokenKeysHidden: boolean(false),
  Chats: json("array", [], "chat"),
  // Quota and invitation
  QuotaForNewUser: quota(0),
  PreConsumedQuota: quota(500),
  QuotaForInviter: quota(0),
  QuotaForInvitee: quota(0),
  AffEnabled: boolean(true),
  MinAffTransfer: integer(1, 1),
  RebateEnabled: boolean(false),
  RebatePercentage: number(0, 0, 100),
  QuotaRemindThreshold: quota(1000),
  StreamCacheQueueLength: integer(0),
  CheckInEnabled: boolean(false),
  CheckInQuota: quota(1000),
  CheckInMaxQuota: quota(0),
  CheckInTimezone: formatted("zone"),
  // Prices
  ModelRatio: json("ratios", DEFAULT_MODEL_RATIO),
  CompletionRatio: json("ratios", DEFAULT_COMPLETION_RATIO),
  ModelPrice: json("ratios", DEFAULT_MODEL_PRICE),
  CacheRatio: json("ratios", DEFAULT_CACHE_RATIO),
  CreateCacheRatio: json("ratios", DEFAULT_CREATE_CACHE_RATIO),
  ImageRatio: json("ratios", DEFAULT_IMAGE_RATIO),
  AudioRatio: json("ratios", {}),
  AudioCompletionRatio: json("ratios", {}),
  ToolPrices: json("ratios", DEFAULT_TOOL_PRICES),
  GroupGroupRatio: json("object", {}, "ratios"),
  GroupRatio: json("ratios", { default: 1, vip: 1, svip: 1 }),
  UserUsableGroups: json("texts", { default: "默认分组", vip: "vip分组" }),
  fallback_pricing_enabled: boolean(false),
  fallback_single_price: number(""),
  fallback_input_ratio: number(""),
  fallback_completion_ratio: number(""),
  /** False: prices are for those who are signed in. */
  PublicPricingEnabled: boolean(true),
  // Limits
  ModelRequestRateLimitEnabled: boolean(false),
  ModelRequestRateLimitDurationMinutes: integer(1),
  ModelRequestRateLimitCount: integer(0),
  ModelRequestRateLimitSuccessCount: integer(1000, 1),
  ModelRequestRateLimitGroup: json("object", {}, "limit"),
  "global.rate_limit_exempt_enabled": boolean(false),
  "global.rate_limit_exempt_group": text("bulk-ok"),
  // Content rules
  CheckSensitiveEnabled: boolean(true),
  CheckSensitiveOnPromptEnabled: boolean(true),
  CheckSensitiveOnCompletionEnabled: boolean(false),
  StopOnSensitiveEnabled: boolean(true),
  SensitiveWords: formatted("words", "test_sensitive"),
  "global.safe_check_exempt_enabled": boolean(false),
  "global.safe_check_exempt_group": text("nsfw-ok"),
  "global.pass_through_request_enabled": boolean(false),
  "global.hide_upstream_error_enabled": boolean(false),
  "global.block_browser_extension_enabled": boolean(false),
  // Logs and dashboard
  LogConsumeEnabled: boolean(true),
  LogChatContentEnabled: boolean(false),
  LogErrorEnabled: boolean(false),
  /** Days after which log rows go; 0 keeps them. Sums and balances stay. */
  LogRetentionDays: integer(0, 0, 3_650),
  DataExportEnabled: boolean(true),
  DataExportInterval: integer(5, 1),
  DataExportDefaultTime: choice("hour", "hour", "day", "week"),
  // Channel health
  ChannelDisableThreshold: number(5),
  AutomaticDisableChannelEnabled: boolean(false),
  AutomaticEnableChannelEnabled: boolean(false),
  AutomaticDisableKeywords: text(
    [
      "your credit balance is too low",
      "this organization has been disabled.",
      "you exceeded your current quota",
      "permission denied",
      "the security token included in the request is invalid",
      "operation not allowed",
      "your account is not authorized",
    ].join("\n"),
  ),
  // Drawing
  DrawingEnabled: boolean(true),
  TaskEnabled: boolean(true),
  MjNotifyEnabled: boolean(false),
  MjAccountFilterEnabled: boolean(false),
  MjModeClearEnabled: boolean(false),
  MjForwardUrlEnabled: boolean(true),
  MjActionCheckSuccessEnabled: boolean(true),
  // Providers
  "claude.model_headers_settings": json("object", {}, "headers"),
  "claude.default_max_tokens": json("ratios", { default: 8192 }, "count"),
  "claude.thinking_adapter_enabled": boolean(true),
  "claude.thinking_adapter_budget_tokens_percentage": number(0.8, 0.1, 1),
  "gemini.safety_settings": json("texts", {
    default: "OFF",
    HARM_CATEGORY_HARASSMENT: "BLOCK_NONE",
    HARM_CATEGORY_HATE_SPEECH: "BLOCK_NONE",
    HARM_CATEGORY_SEXUALLY_EXPLICIT: "BLOCK_NONE",
    HARM_CATEGORY_DANGEROUS_CONTENT: "BLOCK_NONE",
  }),
  "gemini.version_settings": json("texts", { default: "v1beta", "gemini-1.0-pro": "v1beta" }),
  "gemini.supported_imagine_models": json(
    "array",
    ["gemini-2.0-flash-exp-image-generation", "gemini-2.0-flash-exp"],
    "name",
  ),
  "gemini.thinking_adapter_enabled": boolean(false),
  "gemini.thinking_adapter_budget_tokens_percentage": number(0.6, 0.002, 1),
  "gemini.models_supported_thinking_budget": json(
    "array",
    [
      "gemini-2.5-flash-preview-05-20",
      "gemini-2.5-flash-preview-04-17",
      "gemini-2.5-pro-preview-06-05",
      "gemini-2.5-pro",
    ],
    "name",
  ),
  // Where the console asks when an admin wants it to
  /** Holds <source>/prompt.json and <source>/completion.json. */
  PresetRatioAddress: formatted("base-url"),
  /** A code host's answer about the latest release. */
  UpdateCheckAddress: formatted("url"),
  // Kept for clients of the family that set them; without effect
  FileUploadPermission: integer(0, 0, 100),
  FileDownloadPermission: integer(0, 0, 100),
  ImageUploadPermission: integer(0, 0, 100),
  ImageDownloadPermission: integer(0, 0, 100),
  SafeCheckExemptEnabled: boolean(false),
  SafeCheckExemptGroup: text("nsfw-ok"),
} as const satisfies Record<string, OptionDefinition>;

export type OptionKey = keyof typeof OPTIONS;

export const isOptionKey = (key: string): key is OptionKey => Object.hasOwn(OPTIONS, key);
