import { PRICE_OPTIONS } from "./price-options.ts";
import { QUOTA_PER_UNIT_DEFAULT } from "../pricing/dollars.ts";
import {
  boolean,
  choice,
  formatted,
  integer,
  json,
  number,
  type OptionDefinition,
  quota,
  secret,
  text,
} from "./option-types.ts";

export type { OptionDefinition, OptionFormat } from "./option-types.ts";

const NAME_LENGTH_MAX = 100;

/** Every option of the site. An unknown key is refused; the recipe "Add an option" in docs/recipes.md lists what else a new row needs. */
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
  /** Issuers whose tokens the model API accepts in place of keys, and the users and Turnpike tokens that they act for. */
  OidcTokenIssuers: json("array", [], "oidc-token-issuer"),
  // Mail
  SMTPServer: formatted("host"),
  SMTPPort: integer(587, 1, 65_535),
  SMTPAccount: text(),
  SMTPFrom: formatted("mailbox"),
  SMTPToken: secret(),
  SMTPSSLEnabled: boolean(false),
  // Address and payment
  ServerAddress: formatted("site-url"),
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
  // Only currencies with two decimals.
  StripeCurrency: choice("usd", "usd", "eur", "gbp", "cny", "hkd", "twd", "sgd", "aud", "cad", "chf", "inr", "brl"),
  StripePromotionCodesEnabled: boolean(false),
  ReverseProxyEnabled: boolean(false),
  ReverseProxyProvider: choice("nginx", "nginx", "cloudflare"),
  // Appearance and content
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
  QuotaPerUnit: number(QUOTA_PER_UNIT_DEFAULT, 1),
  RetryTimes: integer(3, 0, 10),
  /** A call starts no further attempt after this time; 0 for no limit. */
  RetryBudgetSeconds: integer(120, 0, 3_600),
  /** Maximum cooldown of a key after a Retry-After; 0 disables the cooldown. */
  RetryAfterMaxSeconds: integer(60, 0, 3_600),
  /** Models with hidden reasoning whose client disconnects: read on to the usage, or charge the learned share. */
  HiddenReasoningOnDisconnect: choice("drain", "drain", "share"),
  LatencyRoutingEnabled: boolean(false),
  /** Groups whose calls go to the cheapest channel of a priority first, separated by commas; * for all. */
  CheapestChannelGroups: text(),
  StickyRoutingEnabled: boolean(false),
  ResponseCacheEnabled: boolean(false),
  ResponseCacheSeconds: integer(3_600, 1, 2_592_000),
  ResponseCacheEntries: integer(2_000, 1, 1_000_000),
  /** How long responses can be referenced when they are served through chat; 0 disables this. */
  ResponseItemsSeconds: integer(3_600, 0, 2_592_000),
  /** Responses that Turnpike keeps for providers that keep none: for how long (0: not at all), and megabytes of one user and of all. */
  StoredResponseSeconds: integer(259_200, 0, 2_592_000),
  StoredResponseUserMB: integer(16, 1, 1_024),
  StoredResponseMB: integer(1_024, 1, 1_048_576),
  /** The Responses API over WebSockets; when off, a handshake is refused with 426. */
  ResponsesWebSocketEnabled: boolean(true),
  /** Encrypted reasoning of a removed account: the call fails, or is served without it. */
  StateLostPolicy: choice("fail", "fail", "strip"),
  /** Names that stand for models, the models after one that fails, and the causes after which they are tried. */
  ModelAliases: { ...json("object", {}, "name"), acyclic: true },
  ModelFallbacks: { ...json("object", {}, "models"), acyclic: true },
  FallbackCauses: json("array", ["unavailable", "rate_limit", "timeout"], "fallback-cause"),
  /** What a call costs its caller: in the usage of every response, and in headers under LiteLLM's names. */
  UsageCostEnabled: boolean(false),
  LiteLLMHeadersEnabled: boolean(false),
  DisplayInCurrencyEnabled: boolean(true),
  DisplayTokenStatEnabled: boolean(true),
  /** The language of new visitors, and of messages to clients that name none; "auto" is the browser's, else English. */
  DefaultLanguage: choice("auto", "auto", "zh", "en"),
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
  // Prices, which billing stores; see price-options.ts
  ...PRICE_OPTIONS,
  UserUsableGroups: json("texts", { default: "默认分组", vip: "vip分组" }),
  /** False: only signed-in users see prices. */
  PublicPricingEnabled: boolean(true),
  /** Whether visitors see the status of the models of the group `default`. */
  PublicStatusEnabled: boolean(false),
  /** Whether all ratios and price rules may be read without authentication, so that other sites can take them over. */
  ExposeRatioEnabled: boolean(false),
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
  LogErrorEnabled: boolean(true),
  /** The address of a trace in the operator's tracing system; {trace_id} stands for its id. */
  TraceUrlTemplate: formatted("trace-url"),
  /** Operators are warned of models and channels whose margin is below this percentage of their cost; -100 for never. */
  MarginAlertPercent: number(0, -100, 1_000),
  /** Retention of log rows in days; 0 means unlimited. Sums and balances stay. */
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
  // Image tasks
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
  "claude.cache_breakpoints_enabled": boolean(false),
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
  // Addresses that the console calls when an administrator requests it
  /** Contains <source>/prompt.json and <source>/completion.json. */
  PresetRatioAddress: formatted("base-url"),
  /** The latest release, in the format of a code host's API. */
  UpdateCheckAddress: formatted("url"),
  // Accepted for clients of the family that set them; without effect
  FileUploadPermission: integer(0, 0, 100),
  FileDownloadPermission: integer(0, 0, 100),
  ImageUploadPermission: integer(0, 0, 100),
  ImageDownloadPermission: integer(0, 0, 100),
  SafeCheckExemptEnabled: boolean(false),
  SafeCheckExemptGroup: text("nsfw-ok"),
} as const satisfies Record<string, OptionDefinition>;

export type OptionKey = keyof typeof OPTIONS;

export const isOptionKey = (key: string): key is OptionKey => Object.hasOwn(OPTIONS, key);
