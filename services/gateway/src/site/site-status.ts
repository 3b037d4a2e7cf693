import type { SetupState, SiteStatus } from "@turnpike/contract/api/status";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";

/** Facts of the running program. */
export type ProgramFacts = { readonly version: string; readonly startedAtSeconds: number };

type Granularity = SiteStatus["data_export_default_time"];
const getGranularity = (text: string): Granularity => (text === "day" || text === "week" ? text : "hour");
const getLanguage = (text: string): SiteStatus["default_language"] => (text === "zh" || text === "en" ? text : "auto");

/**
 * Features that this version does not offer yet, whatever its options are: no client may show them. A feature that is
 * built leaves this list.
 */
const NOT_BUILT = {
  enable_batch_update: false,
};

function signInFields(options: OptionsInForce) {
  return {
    password_login: options.flag("PasswordLoginEnabled"),
    register_enabled: options.flag("RegisterEnabled"),
    password_register: options.flag("PasswordRegisterEnabled"),
    email_verification: options.flag("EmailVerificationEnabled"),
    turnstile_check: options.flag("TurnstileCheckEnabled"),
    github_oauth: options.flag("GitHubOAuthEnabled"),
    oidc_enabled: options.flag("oidc.enabled"),
    linuxdo_oauth: options.flag("LinuxDOOAuthEnabled"),
    wechat_login: options.flag("WeChatAuthEnabled"),
    telegram_oauth: options.flag("TelegramOAuthEnabled"),
    turnstile_site_key: options.text("TurnstileSiteKey"),
    github_client_id: options.text("GitHubClientId"),
    oidc_client_id: options.text("oidc.client_id"),
    oidc_authorization_endpoint: options.text("oidc.authorization_endpoint"),
    linuxdo_client_id: options.text("LinuxDOClientId"),
    linuxdo_minimum_trust_level: options.number("LinuxDOMinimumTrustLevel"),
    wechat_qrcode: options.text("WeChatAccountQRCodeImageURL"),
    telegram_bot_name: options.text("TelegramBotName"),
  };
}

/** The status object: what a browser may know of the site before sign-in. */
export function siteStatus(options: OptionsInForce, setup: SetupState, program: ProgramFacts): SiteStatus {
  return {
    ...setup,
    setup: setup.status,
    version: program.version,
    start_time: program.startedAtSeconds,
    system_name: options.text("SystemName"),
    logo: options.text("Logo"),
    footer_html: options.text("Footer"),
    server_address: options.text("ServerAddress"),
    docs_link: options.text("general_setting.docs_link"),
    top_up_link: options.text("TopUpLink"),
    quota_per_unit: options.number("QuotaPerUnit"),
    display_in_currency: options.flag("DisplayInCurrencyEnabled"),
    enable_online_topup: options.text("PayAddress") !== "" && options.text("EpayId") !== "",
    price: options.number("Price"),
    min_topup: options.number("MinTopUp"),
    enable_data_export: options.flag("DataExportEnabled"),
    public_status: options.flag("PublicStatusEnabled"),
    data_export_default_time: getGranularity(options.text("DataExportDefaultTime")),
    default_language: getLanguage(options.text("DefaultLanguage")),
    default_collapse_sidebar: options.flag("DefaultCollapseSidebar"),
    self_use_mode_enabled: options.flag("SelfUseModeEnabled"),
    demo_site_enabled: options.flag("DemoSiteEnabled"),
    enable_drawing: options.flag("DrawingEnabled"),
    enable_task: options.flag("TaskEnabled"),
    mj_notify_enabled: options.flag("MjNotifyEnabled"),
    chats: options.json<unknown[]>("Chats"),
    aff_enabled: options.flag("AffEnabled"),
    check_in_enabled: options.flag("CheckInEnabled"),
    ...signInFields(options),
    ...NOT_BUILT,
  };
}
