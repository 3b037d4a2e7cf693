import {
  ALREADY_EXISTS,
  business,
  type ErrorRow,
  FAILED_PRECONDITION,
  INVALID_ARGUMENT,
  NOT_FOUND,
  PERMISSION_DENIED,
  UNAVAILABLE,
} from "./error-row.ts";

/** Errors of sign-in: registration, mailed codes, third parties, second factor, passkeys; part of ERRORS. */
export const IDENTITY_ERRORS = {
  // Registration and mailed codes
  register_disabled: business(
    FAILED_PRECONDITION,
    "管理员关闭了新用户注册",
    "The administrator has turned off registration",
  ),
  password_register_disabled: business(
    FAILED_PRECONDITION,
    "管理员关闭了通过密码进行注册，请使用第三方账户验证的形式进行注册",
    "Registration by password is turned off; please register with a third-party account",
  ),
  email_and_code_required: business(
    INVALID_ARGUMENT,
    "管理员开启了邮箱验证，请输入邮箱地址和验证码",
    "E-mail verification is on: please enter the address and the code",
  ),
  email_invalid: business(INVALID_ARGUMENT, "无效的邮箱地址", "The e-mail address is not valid"),
  email_taken: business(ALREADY_EXISTS, "邮箱地址已被占用", "The e-mail address is in use"),
  email_domain_not_allowed: business(
    INVALID_ARGUMENT,
    "管理员启用了邮箱域名白名单，您的邮箱地址的域名不在白名单中",
    "E-mail addresses of this domain are not accepted",
  ),
  email_alias_not_allowed: business(
    INVALID_ARGUMENT,
    "管理员已启用邮箱地址别名限制，您的邮箱地址由于包含特殊符号而被拒绝",
    "E-mail aliases are not accepted: the part before @ must not contain + or .",
  ),
  verification_code_wrong: business(INVALID_ARGUMENT, "验证码错误或已过期", "The code is wrong or has expired"),
  reset_link_invalid: business(INVALID_ARGUMENT, "重置链接非法或已过期", "The reset link is not valid or has expired"),
  site_address_unknown: business(
    FAILED_PRECONDITION,
    "管理员未设置服务器地址，无法生成返回本站的链接",
    "The administrator has not set the server's address, so no link back to this site can be made",
  ),
  turnstile_required: business(INVALID_ARGUMENT, "Turnstile token 为空", "The Turnstile check is missing"),
  turnstile_failed: business(
    INVALID_ARGUMENT,
    "Turnstile 校验失败，请刷新重试！",
    "The Turnstile check failed, please reload and try again",
  ),
  // Third parties
  oauth_disabled: business(
    FAILED_PRECONDITION,
    "管理员未开启通过 {{provider}} 登录以及注册",
    "Sign-in with {{provider}} is turned off",
  ),
  oauth_not_configured: business(
    FAILED_PRECONDITION,
    "{{provider}} 登录配置不完整，请联系管理员",
    "Sign-in with {{provider}} is not configured completely, please contact the administrator",
  ),
  oauth_state_invalid: {
    grpc: PERMISSION_DENIED,
    http: 403,
    zh: "登录状态无效或已过期，请重新登录",
    en: "The sign-in was not started in this browser or has expired, please start again",
  },
  oauth_code_refused: business(
    INVALID_ARGUMENT,
    "{{provider}} 拒绝了此次登录，请重试",
    "{{provider}} refused this sign-in, please try again",
  ),
  oauth_response_invalid: business(
    FAILED_PRECONDITION,
    "{{provider}} 返回的内容无法使用，请联系管理员：{{detail}}",
    "The response of {{provider}} cannot be used, please contact the administrator: {{detail}}",
  ),
  oauth_email_required: business(
    FAILED_PRECONDITION,
    "本站只接受名单内域名的邮箱注册，而 {{provider}} 没有提供已验证的邮箱地址",
    "This site accepts new users by the domain of their e-mail address, and {{provider}} reports no verified address",
  ),
  oauth_provider_unreachable: business(
    UNAVAILABLE,
    "无法连接至 {{provider}} 服务器，请稍后重试！",
    "{{provider}} cannot be reached, please try again later",
  ),
  oauth_already_bound: business(
    ALREADY_EXISTS,
    "该 {{provider}} 账户已被绑定",
    "This {{provider}} account is already bound",
  ),
  oauth_trust_level_too_low: business(
    PERMISSION_DENIED,
    "LINUX DO 信任等级未达到管理员设置的最低信任等级 {{needed}}",
    "Your LINUX DO trust level is below the required {{needed}}",
  ),
  wechat_code_wrong: business(INVALID_ARGUMENT, "验证码错误或已过期", "The code is wrong or has expired"),
  telegram_data_invalid: business(
    INVALID_ARGUMENT,
    "无效的 Telegram 登录数据，请重试",
    "The data from Telegram is not valid, please try again",
  ),
  telegram_not_bound: business(
    NOT_FOUND,
    "该 Telegram 账户未绑定，请先登录后在个人设置中绑定",
    "This Telegram account is not bound; sign in and bind it in your settings first",
  ),
  user_banned: business(FAILED_PRECONDITION, "用户已被封禁", "The user is banned"),
  user_deregistered: business(FAILED_PRECONDITION, "用户已注销", "The user is deregistered"),
  not_bound: business(NOT_FOUND, "尚未绑定", "No account is bound"),
  binding_type_unknown: business(INVALID_ARGUMENT, "未知的绑定类型 {{type}}", "Unknown binding {{type}}"),
  last_sign_in_method: business(
    FAILED_PRECONDITION,
    "这是您唯一的登录方式，请先设置密码或绑定其他账户",
    "This is your only way to sign in; set a password or bind another account first",
  ),
  // Second factor
  sign_in_expired: business(INVALID_ARGUMENT, "登录已过期，请重新登录", "The sign-in has expired, please start again"),
  two_factor_code_wrong: business(INVALID_ARGUMENT, "两步验证码错误", "The code is wrong"),
  two_factor_not_set_up: business(FAILED_PRECONDITION, "尚未设置两步验证", "Two-factor sign-in is not set up"),
  two_factor_already_on: business(FAILED_PRECONDITION, "两步验证已启用", "Two-factor sign-in is already on"),
  // Passkeys and sessions
  passkey_refused: business(INVALID_ARGUMENT, "通行密钥验证失败，请重试", "The passkey was refused, please try again"),
  passkey_not_found: business(NOT_FOUND, "通行密钥不存在", "The passkey does not exist"),
  passkey_name_invalid: business(
    INVALID_ARGUMENT,
    "通行密钥名称长度必须为1到50个字符",
    "Passkey names have 1 to 50 characters",
  ),
  passkey_limit_reached: business(
    FAILED_PRECONDITION,
    "通行密钥数量已达上限 {{max}} 个",
    "You already have {{max}} passkeys, which is the limit",
  ),
  session_not_found: business(NOT_FOUND, "会话不存在", "The session does not exist"),
} as const satisfies Record<string, ErrorRow>;
