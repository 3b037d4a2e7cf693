import type { Envelope, Page } from "@turnpike/contract/api/common";
import type { SiteStatus } from "@turnpike/contract/api/status";
import type { SignedInUser, UserProfile } from "@turnpike/contract/api/user";
import {
  type Check,
  isAnything,
  isFlag,
  isListOf,
  isMapOf,
  isNullable,
  isNumber,
  isObjectOf,
  isOneOf,
  isOptional,
  isText,
} from "./check.ts";

/** The frame of every answer. */
export const isEnvelope: Check<Omit<Envelope, "message"> & { readonly message?: string | undefined }> = isObjectOf<
  Omit<Envelope, "message"> & { readonly message?: string | undefined }
>({
  success: isFlag,
  message: isOptional(isText),
  data: isAnything,
  code: isOptional(isText),
  params: isOptional(isMapOf(isText)),
});

/** A page of a list. */
export const isPageOf = <Item>(item: Check<Item>): Check<Page<Item>> =>
  isObjectOf<Page<Item>>({ items: isListOf(item), page: isNumber, page_size: isNumber, total: isNumber });

export const isNameList = isListOf(isText);

const signedInUser = {
  id: isNumber,
  username: isText,
  display_name: isText,
  role: isNumber,
  status: isNumber,
  group: isText,
  must_change_password: isFlag,
};

export const isSignedInUser = isObjectOf<SignedInUser>(signedInUser);

export const isUserProfile = isObjectOf<UserProfile>({
  ...signedInUser,
  email: isText,
  quota: isNumber,
  used_quota: isNumber,
  request_count: isNumber,
  aff_code: isText,
  aff_count: isNumber,
  aff_quota: isNumber,
  aff_history_quota: isNumber,
  inviter_id: isNumber,
  github_id: isText,
  oidc_id: isText,
  wechat_id: isText,
  telegram_id: isText,
  linux_do_id: isText,
  setting: isText,
  created_at: isNumber,
  DeletedAt: isNullable(isNumber),
});

export const isSiteStatus = isObjectOf<SiteStatus>({
  status: isFlag,
  root_init: isFlag,
  database_type: isText,
  setup: isFlag,
  version: isText,
  start_time: isNumber,
  system_name: isText,
  logo: isText,
  footer_html: isText,
  server_address: isText,
  docs_link: isText,
  top_up_link: isText,
  // Money is divided by it.
  quota_per_unit: (value): value is number => isNumber(value) && value > 0,
  display_in_currency: isFlag,
  price: isNumber,
  min_topup: isNumber,
  enable_online_topup: isFlag,
  enable_drawing: isFlag,
  enable_task: isFlag,
  enable_data_export: isFlag,
  data_export_default_time: isOneOf("hour", "day", "week"),
  default_collapse_sidebar: isFlag,
  self_use_mode_enabled: isFlag,
  demo_site_enabled: isFlag,
  mj_notify_enabled: isFlag,
  chats: isListOf(isAnything),
  aff_enabled: isFlag,
  check_in_enabled: isFlag,
  password_login: isFlag,
  register_enabled: isFlag,
  password_register: isFlag,
  email_verification: isFlag,
  turnstile_check: isFlag,
  turnstile_site_key: isText,
  github_oauth: isFlag,
  github_client_id: isText,
  oidc_enabled: isFlag,
  oidc_client_id: isText,
  oidc_authorization_endpoint: isText,
  linuxdo_oauth: isFlag,
  linuxdo_client_id: isText,
  wechat_login: isFlag,
  wechat_qrcode: isText,
  telegram_oauth: isFlag,
  telegram_bot_name: isText,
});
