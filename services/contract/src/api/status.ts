import { z } from "zod/mini";

/** Data of `GET /api/setup`: whether setup is done, and whether a root user exists already. */
export const SetupState = z.object({ status: z.boolean(), root_init: z.boolean(), database_type: z.string() });
export type SetupState = z.infer<typeof SetupState>;

/** Body of `POST /api/setup`; the administrator fields are used only while there is no root user. */
export const SetupBody = z.object({
  username: z._default(z.string().check(z.trim()), ""),
  password: z._default(z.string(), ""),
  confirmPassword: z._default(z.string(), ""),
  SelfUseModeEnabled: z._default(z.boolean(), false),
  DemoSiteEnabled: z._default(z.boolean(), false),
});
export type SetupBody = z.input<typeof SetupBody>;

/** Data of `GET /api/status`: the public site data for browsers. */
export const SiteStatus = z.object({
  ...SetupState.shape,
  /** The same as `status`, under the name that older clients read. */
  setup: z.boolean(),
  version: z.string(),
  start_time: z.int(),
  system_name: z.string(),
  logo: z.string(),
  footer_html: z.string(),
  server_address: z.string(),
  docs_link: z.string(),
  top_up_link: z.string(),
  quota_per_unit: z.number().check(z.positive()),
  display_in_currency: z.boolean(),
  price: z.number(),
  min_topup: z.number(),
  enable_online_topup: z.boolean(),
  enable_drawing: z.boolean(),
  enable_task: z.boolean(),
  enable_data_export: z.boolean(),
  /** Whether visitors may see the status of models. */
  public_status: z._default(z.boolean(), false),
  /** Always false: usage is always posted in batches. */
  enable_batch_update: z._default(z.boolean(), false),
  data_export_default_time: z.enum(["hour", "day", "week"]),
  /** The language for visitors who have not chosen one; auto is their browser's. */
  default_language: z._default(z.enum(["auto", "zh", "en"]), "auto"),
  default_collapse_sidebar: z.boolean(),
  self_use_mode_enabled: z.boolean(),
  demo_site_enabled: z.boolean(),
  mj_notify_enabled: z.boolean(),
  chats: z.array(z.unknown()),
  aff_enabled: z.boolean(),
  check_in_enabled: z.boolean(),
  /** What visitors without a session may use. */
  password_login: z.boolean(),
  register_enabled: z.boolean(),
  password_register: z.boolean(),
  email_verification: z.boolean(),
  turnstile_check: z.boolean(),
  turnstile_site_key: z.string(),
  github_oauth: z.boolean(),
  github_client_id: z.string(),
  oidc_enabled: z.boolean(),
  oidc_client_id: z.string(),
  oidc_authorization_endpoint: z.string(),
  linuxdo_oauth: z.boolean(),
  linuxdo_client_id: z.string(),
  linuxdo_minimum_trust_level: z._default(z.number(), 0),
  wechat_login: z.boolean(),
  wechat_qrcode: z.string(),
  telegram_oauth: z.boolean(),
  telegram_bot_name: z.string(),
});
export type SiteStatus = z.infer<typeof SiteStatus>;
