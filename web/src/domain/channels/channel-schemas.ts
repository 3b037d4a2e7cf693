import type {
  Channel,
  ChannelBalanceResult,
  ChannelHealth,
  ChannelHealthDetail,
  ChannelKeyHealth,
  ChannelOtherInfo,
  ChannelRun,
  ChannelTestResult,
} from "@turnpike/contract/api/channel";
import { isFlag, isListOf, isNumber, isObjectOf, isOneOf, isOptional, isText } from "../../lib/check.ts";

const health = {
  calls: isNumber,
  error_rate: isNumber,
  latency_ms: isNumber,
  last_error: isText,
  last_error_at: isNumber,
};
const isHealthState = isOneOf("idle", "closed", "partial", "half_open", "open");
const isChannelHealth = isObjectOf<ChannelHealth>({ ...health, state: isHealthState });

export const isChannelHealthDetail = isObjectOf<ChannelHealthDetail>({
  ...health,
  state: isHealthState,
  errors: isListOf(
    isObjectOf<ChannelHealthDetail["errors"][number]>({ message: isText, status: isNumber, at: isNumber }),
  ),
  keys: isListOf(
    isObjectOf<ChannelKeyHealth>({
      key_hint: isText,
      state: isOneOf("in_use", "disabled", "open", "half_open"),
      status_reason: isText,
      status_time: isNumber,
    }),
  ),
});

export const isChannel = isObjectOf<Channel>({
  id: isNumber,
  name: isText,
  type: isNumber,
  key_hint: isText,
  key_count: isNumber,
  openai_organization: isText,
  max_input_tokens: isNumber,
  base_url: isText,
  other: isText,
  model_mapping: isText,
  status_code_mapping: isText,
  models: isText,
  group: isText,
  auto_ban: isNumber,
  test_model: isText,
  priority: isNumber,
  weight: isNumber,
  tag: isText,
  model_prefix: isText,
  setting: isText,
  param_override: isText,
  status: isNumber,
  response_time: isNumber,
  balance: isNumber,
  used_quota: isNumber,
  expired_time: isNumber,
  other_info: isText,
  created_time: isNumber,
  test_time: isNumber,
  balance_updated_time: isNumber,
  health: isOptional(isChannelHealth),
});

export const isChannelOtherInfo = isObjectOf<(typeof ChannelOtherInfo)["_output"]>({
  status_reason: isOptional(isText),
  status_time: isOptional(isNumber),
});

export const isChannelTestResult = isObjectOf<ChannelTestResult>({ success: isFlag, message: isText, time: isNumber });

export const isChannelBalanceResult = isObjectOf<ChannelBalanceResult>({
  success: isFlag,
  message: isText,
  balance: isNumber,
});

export const isChannelRun = isObjectOf<ChannelRun>({
  kind: isText,
  running: isFlag,
  started_at: isNumber,
  ended_at: isNumber,
  done: isNumber,
  failed: isNumber,
  disabled: isNumber,
  enabled: isNumber,
  total: isNumber,
});
