import type { Channel, ChannelOtherInfo, ChannelTestResult } from "@turnpike/contract/api/channel";
import { isFlag, isNumber, isObjectOf, isOptional, isText } from "../../lib/check.ts";

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
});

export const isChannelOtherInfo = isObjectOf<(typeof ChannelOtherInfo)["_output"]>({
  status_reason: isOptional(isText),
  status_time: isOptional(isNumber),
});

export const isChannelTestResult = isObjectOf<ChannelTestResult>({ success: isFlag, message: isText, time: isNumber });
