import { CHANNEL_ERRORS } from "./errors/channel-errors.ts";
import { GROUP_ERRORS } from "./errors/group-errors.ts";
import { IDENTITY_ERRORS } from "./errors/identity-errors.ts";
import { MESSAGING_ERRORS } from "./errors/messaging-errors.ts";
import { MONEY_ERRORS } from "./errors/money-errors.ts";
import { CONSOLE_ERRORS } from "./errors/console-errors.ts";
import {
  ALREADY_EXISTS,
  business,
  type ErrorRow,
  FAILED_PRECONDITION,
  INTERNAL,
  INVALID_ARGUMENT,
  NOT_FOUND,
  PERMISSION_DENIED,
  RESOURCE_EXHAUSTED,
  UNAUTHENTICATED,
  UNAVAILABLE,
} from "./errors/error-row.ts";

/**
 * One row per error of `/api`: gRPC status, HTTP status, Chinese and English text. Rows of one area are in
 * `errors/<area>-errors.ts`; the recipe "Add an error code" in docs/recipes.md lists what else a row needs.
 */
export const ERRORS = {
  // General
  internal: {
    grpc: INTERNAL,
    http: 500,
    zh: "服务器内部错误，请联系管理员",
    en: "Internal server error, please contact the administrator",
  },
  unavailable: {
    grpc: UNAVAILABLE,
    http: 503,
    zh: "服务暂时不可用，请稍后重试",
    en: "The service is unavailable, please try again later",
  },
  body_unreadable: {
    grpc: INVALID_ARGUMENT,
    http: 400,
    zh: "无效的请求体",
    en: "The request body is not a JSON object",
  },
  body_too_large: { grpc: INVALID_ARGUMENT, http: 413, zh: "请求体过大", en: "The request body is too large" },
  address_too_long: {
    grpc: INVALID_ARGUMENT,
    http: 431,
    zh: "请求地址或请求头过长",
    en: "The address or the headers of the request are too long",
  },
  not_found: { grpc: NOT_FOUND, http: 404, zh: "接口不存在", en: "The endpoint does not exist" },
  invalid_input: business(INVALID_ARGUMENT, "无效的参数：{{detail}}", "Invalid parameter: {{detail}}"),
  search_too_long: business(
    INVALID_ARGUMENT,
    "搜索的数据太多，请使用更完整的关键字，或增加筛选条件",
    "The search compares too many rows: use a more exact keyword, or add a filter",
  ),
  text_too_long: business(
    INVALID_ARGUMENT,
    "{{field}} 过长，最多 {{max}} 个字符",
    "{{field}} is too long, at most {{max}} characters",
  ),
  unauthenticated: {
    grpc: UNAUTHENTICATED,
    http: 401,
    zh: "未登录或登录已过期，请重新登录",
    en: "Not signed in, or the session has expired; please sign in again",
  },
  access_token_invalid: {
    grpc: UNAUTHENTICATED,
    http: 401,
    zh: "无权进行此操作，access token 无效",
    en: "The access token is not valid",
  },
  user_header_mismatch: {
    grpc: UNAUTHENTICATED,
    http: 401,
    zh: "无权进行此操作，用户标识与登录用户不符",
    en: "The user header does not match the signed-in user",
  },
  permission_denied: {
    grpc: PERMISSION_DENIED,
    http: 403,
    zh: "无权进行此操作，权限不足",
    en: "You are not allowed to do this",
  },
  cross_site_refused: {
    grpc: PERMISSION_DENIED,
    http: 403,
    zh: "拒绝来自其他站点的请求",
    en: "Requests from other sites are refused",
  },
  rate_limited: {
    grpc: RESOURCE_EXHAUSTED,
    http: 429,
    zh: "请求过于频繁，请 {{seconds}} 秒后再试",
    en: "Too many requests, try again in {{seconds}} seconds",
  },
  address_not_allowed: business(
    INVALID_ARGUMENT,
    "不允许访问地址 {{host}}：只能访问公网地址，或由运维人员放行的地址",
    "The address {{host}} may not be called: only public addresses, or those the operator has allowed",
  ),
  // Setup and sign-in
  setup_done: business(FAILED_PRECONDITION, "系统已经初始化完成", "Setup has already been completed"),
  username_required: business(INVALID_ARGUMENT, "请输入管理员用户名", "Please enter a user name"),
  username_invalid: business(INVALID_ARGUMENT, "用户名长度必须为1到20个字符", "User names have 1 to 20 characters"),
  password_too_short: business(INVALID_ARGUMENT, "密码长度至少为8个字符", "Passwords have at least 8 characters"),
  password_too_long: business(INVALID_ARGUMENT, "密码长度不能超过20个字符", "Passwords have at most 20 characters"),
  passwords_differ: business(INVALID_ARGUMENT, "两次输入的密码不一致", "The two passwords differ"),
  credentials_required: business(INVALID_ARGUMENT, "用户名或密码不能为空", "User name and password must not be empty"),
  login_failed: business(
    INVALID_ARGUMENT,
    "用户名或密码错误，或用户已被封禁",
    "Wrong user name or password, or the user is banned",
  ),
  login_rate_limited: {
    grpc: RESOURCE_EXHAUSTED,
    http: 429,
    zh: "登录失败次数过多，请 {{seconds}} 秒后再试",
    en: "Too many failed sign-ins, try again in {{seconds}} seconds",
  },
  password_login_disabled: business(
    FAILED_PRECONDITION,
    "管理员关闭了密码登录",
    "The administrator has turned off sign-in by password",
  ),
  original_password_wrong: business(INVALID_ARGUMENT, "原密码错误", "The current password is wrong"),
  ...IDENTITY_ERRORS,
  // Users
  user_not_found: business(NOT_FOUND, "用户不存在", "The user does not exist"),
  username_taken: business(ALREADY_EXISTS, "用户名 {{username}} 已被使用", "The user name {{username}} is taken"),
  user_level_too_high: {
    grpc: PERMISSION_DENIED,
    http: 200,
    zh: "无权操作同级或更高权限的用户",
    en: "You may not change users of your own or a higher role",
  },
  user_create_level_too_high: {
    grpc: PERMISSION_DENIED,
    http: 200,
    zh: "无法创建权限大于等于自己的用户",
    en: "You may not create users of your own or a higher role",
  },
  root_protected: business(
    FAILED_PRECONDITION,
    "无法对超级管理员执行此操作",
    "This action is not allowed on the super administrator",
  ),
  already_admin: business(FAILED_PRECONDITION, "该用户已经是管理员", "This user is already an administrator"),
  already_common: business(FAILED_PRECONDITION, "该用户已经是普通用户", "This user is already an ordinary user"),
  user_action_unknown: business(INVALID_ARGUMENT, "未知的操作 {{action}}", "Unknown action {{action}}"),
  display_name_too_long: business(
    INVALID_ARGUMENT,
    "显示名称不能超过20个字符",
    "Display names have at most 20 characters",
  ),
  group_name_invalid: business(
    INVALID_ARGUMENT,
    "分组名称长度必须为1到64个字符",
    "Group names have 1 to 64 characters",
  ),
  user_setting_invalid: business(
    INVALID_ARGUMENT,
    "个人设置 {{field}} 的值无效",
    "The value of the setting {{field}} is not valid",
  ),
  webhook_url_not_https: business(
    INVALID_ARGUMENT,
    "Webhook 地址必须是 https 地址",
    "The webhook's address must be an https URL",
  ),
  notification_email_invalid: business(
    INVALID_ARGUMENT,
    "通知邮箱地址无效",
    "The e-mail address for notices is not valid",
  ),
  // Options
  option_unknown: business(INVALID_ARGUMENT, "未知的设置项 {{key}}", "Unknown option {{key}}"),
  option_invalid: business(
    INVALID_ARGUMENT,
    "设置项 {{key}} 的值无效：{{detail}}",
    "The value of {{key}} is not valid: {{detail}}",
  ),
  option_needs: business(
    INVALID_ARGUMENT,
    "请先填写 {{needs}}，再启用 {{key}}",
    "Fill in {{needs}} before turning on {{key}}",
  ),
  option_forbidden: {
    grpc: PERMISSION_DENIED,
    http: 403,
    zh: "只有超级管理员可以修改此设置",
    en: "Only the super administrator may change this option",
  },
  fallback_pricing_invalid: business(
    INVALID_ARGUMENT,
    "请检查兜底倍率配置：使用单次价格时不能设置倍率，使用倍率时需要同时设置输入和补全倍率",
    "Check the fallback pricing: set either a single price, or both the input ratio and the completion ratio",
  ),
  ...CHANNEL_ERRORS,
  // Tokens
  token_not_found: business(NOT_FOUND, "令牌不存在", "The token does not exist"),
  token_name_invalid: business(
    INVALID_ARGUMENT,
    "令牌名称长度必须为1到30个字符",
    "Token names have 1 to 30 characters",
  ),
  token_key_taken: business(ALREADY_EXISTS, "该密钥已被其他令牌使用", "Another token has this key"),
  token_key_invalid: business(
    INVALID_ARGUMENT,
    "密钥必须是 sk- 加 48 个字母或数字，或其他网关的 20 到 256 个字符的 sk- 密钥",
    "A key is sk- and 48 letters and digits, or the sk- key of another gateway with 20 to 256 characters",
  ),
  token_quota_negative: business(INVALID_ARGUMENT, "额度不能为负数", "The quota must not be negative"),
  token_expired_cannot_enable: business(
    FAILED_PRECONDITION,
    "令牌已过期，无法启用，请先修改令牌过期时间，或者设置为永不过期",
    "The token has expired; change its expiry before enabling it",
  ),
  token_exhausted_cannot_enable: business(
    FAILED_PRECONDITION,
    "令牌可用额度已用尽，无法启用，请先修改令牌剩余额度，或者设置为无限额度",
    "The token's quota is used up; raise it before enabling the token",
  ),
  token_status_invalid: business(
    INVALID_ARGUMENT,
    "令牌状态只能是启用或禁用",
    "A token can only be enabled or disabled",
  ),
  allow_ips_invalid: business(
    INVALID_ARGUMENT,
    "IP 白名单中的 {{line}} 不是有效的 IP 或 CIDR",
    "{{line}} is not an IP address or CIDR",
  ),
  token_limit_reached: business(
    FAILED_PRECONDITION,
    "令牌数量已达上限 {{max}} 个",
    "You already have {{max}} tokens, which is the limit",
  ),
  ...GROUP_ERRORS,
  // Money
  account_not_found: business(NOT_FOUND, "账户不存在", "The account does not exist"),
  redemption_required: business(INVALID_ARGUMENT, "请输入兑换码！", "Please enter a code"),
  redemption_not_found: business(NOT_FOUND, "兑换码不存在", "The code does not exist"),
  redemption_invalid: business(FAILED_PRECONDITION, "无效的兑换码", "The code is not valid"),
  redemption_used: business(FAILED_PRECONDITION, "该兑换码已被使用", "The code has been used"),
  redemption_not_valid_now: business(FAILED_PRECONDITION, "兑换码不在有效期内", "The code is not valid at this time"),
  redemption_exhausted: business(
    FAILED_PRECONDITION,
    "兑换码的使用次数已达上限",
    "The code has reached its maximum number of uses",
  ),
  redemption_window_invalid: business(INVALID_ARGUMENT, "生效时间必须早于过期时间", "The start must be before the end"),
  redemption_key_taken: business(ALREADY_EXISTS, "兑换码 {{key}} 已存在", "The code {{key}} already exists"),
  redemption_name_invalid: business(
    INVALID_ARGUMENT,
    "兑换码名称长度必须为1到20个字符",
    "Code names have 1 to 20 characters",
  ),
  redemption_quota_invalid: business(INVALID_ARGUMENT, "兑换码额度必须大于0", "The quota must be above 0"),
  redemption_count_invalid: business(
    INVALID_ARGUMENT,
    "兑换码个数必须为1到100",
    "Between 1 and 100 codes can be created at once",
  ),
  redemption_status_invalid: business(
    INVALID_ARGUMENT,
    "兑换码状态只能是未使用或已禁用",
    "A code can only be unused or disabled",
  ),
  redemption_name_required: business(INVALID_ARGUMENT, "请输入兑换码名称！", "Please enter a code name"),
  redemptions_required: business(INVALID_ARGUMENT, "请至少选择一个兑换码！", "Please select at least one code"),
  redemption_rate_limited: {
    grpc: RESOURCE_EXHAUSTED,
    http: 429,
    zh: "兑换过于频繁，请 {{seconds}} 秒后再试",
    en: "Too many attempts, try again in {{seconds}} seconds",
  },
  ...MESSAGING_ERRORS,
  ...MONEY_ERRORS,
  ...CONSOLE_ERRORS,
  // Logs
  log_time_required: business(INVALID_ARGUMENT, "请选择日志清理时间", "Please choose a time"),
  export_busy: {
    grpc: RESOURCE_EXHAUSTED,
    http: 429,
    zh: "正在导出其他文件，请 {{seconds}} 秒后再试",
    en: "Another export is running, try again in {{seconds}} seconds",
  },
  log_search_too_long: business(
    INVALID_ARGUMENT,
    "要查找的日志太多，请缩短时间范围或减少筛选条件",
    "Too many log rows match the range: choose a shorter range, or fewer filters",
  ),
  range_too_long: business(
    INVALID_ARGUMENT,
    "时间跨度不能超过 {{days}} 天",
    "The range must not be longer than {{days}} days",
  ),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

/** The error sentence in the requested language, with `{{name}}` filled from params (missing ones become empty). */
export function errorMessage(code: ErrorCode, params: Readonly<Record<string, string>>, language: "zh" | "en"): string {
  return ERRORS[code][language].replace(/\{\{(\w+)\}\}/g, (_, name: string) => params[name] ?? "");
}
