import { business, FAILED_PRECONDITION, INVALID_ARGUMENT } from "./error-row.ts";

/** Errors of users' own actions and of the administrators' site setup. */
export const CONSOLE_ERRORS = {
  confirmation_mismatch: business(
    INVALID_ARGUMENT,
    "输入的用户名与当前用户名不一致",
    "The typed text is not your user name",
  ),
  aff_transfer_too_small: business(
    INVALID_ARGUMENT,
    "转移额度最小为 {{min}}",
    "At least {{min}} quota units must be transferred",
  ),
  aff_quota_insufficient: business(
    FAILED_PRECONDITION,
    "邀请额度不足，剩余 {{quota}}",
    "The invitation earnings do not cover the transfer, {{quota}} are left",
  ),
  check_in_disabled: business(FAILED_PRECONDITION, "管理员未开启签到功能", "Check-in is disabled"),
  check_in_done: business(FAILED_PRECONDITION, "今天已经签到过了", "You have already checked in today"),
  check_in_misconfigured: business(
    FAILED_PRECONDITION,
    "签到额度配置错误，请联系管理员",
    "The check-in reward is not configured, please contact the administrator",
  ),
  option_in_use: business(
    FAILED_PRECONDITION,
    "请先关闭 {{by}}，再清空 {{key}}",
    "Turn off {{by}} before emptying {{key}}",
  ),
  preset_source_unknown: business(INVALID_ARGUMENT, "未知的预设来源 {{source}}", "Unknown preset source {{source}}"),
  preset_address_missing: business(
    FAILED_PRECONDITION,
    "请先设置预设倍率地址 PresetRatioAddress",
    "Set the address of the preset ratios (PresetRatioAddress) first",
  ),
  preset_fetch_failed: business(
    FAILED_PRECONDITION,
    "获取预设倍率失败：{{detail}}",
    "The preset ratios could not be fetched: {{detail}}",
  ),
  oidc_discovery_failed: business(
    FAILED_PRECONDITION,
    "获取 OIDC 配置失败：{{detail}}",
    "The OIDC configuration could not be fetched: {{detail}}",
  ),
} as const;
