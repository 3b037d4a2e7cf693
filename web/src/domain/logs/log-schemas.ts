import type { LogDetails, LogEntry, LogStat } from "@turnpike/contract/api/log";
import { isAnything, isFlag, isListOf, isNumber, isObjectOf, isOptional, isText } from "../../lib/check.ts";
import { parseJson } from "../../lib/parse-json.ts";

export const isLogEntry = isObjectOf<LogEntry>({
  id: isNumber,
  created_at: isNumber,
  type: isNumber,
  user_id: isNumber,
  username: isText,
  token_id: isNumber,
  token_name: isText,
  model_name: isText,
  channel: isNumber,
  channel_name: isText,
  group: isText,
  is_stream: isFlag,
  use_time: isNumber,
  prompt_tokens: isNumber,
  completion_tokens: isNumber,
  quota: isNumber,
  content: isText,
  client_ip: isText,
  request_id: isText,
  other: isText,
});

const isSurcharge = isObjectOf<NonNullable<LogDetails["surcharges"]>[number]>({
  name: isText,
  count: isNumber,
  price: isNumber,
  per: isNumber,
});

const isLogDetails = isObjectOf<LogDetails>({
  model_ratio: isOptional(isNumber),
  completion_ratio: isOptional(isNumber),
  model_price: isOptional(isNumber),
  group_ratio: isOptional(isNumber),
  user_group_ratio: isOptional(isNumber),
  cache_tokens: isOptional(isNumber),
  cache_ratio: isOptional(isNumber),
  cache_creation_tokens: isOptional(isNumber),
  cache_creation_ratio: isOptional(isNumber),
  cache_creation_tokens_5m: isOptional(isNumber),
  cache_creation_ratio_5m: isOptional(isNumber),
  cache_creation_tokens_1h: isOptional(isNumber),
  cache_creation_ratio_1h: isOptional(isNumber),
  audio_input: isOptional(isNumber),
  audio_output: isOptional(isNumber),
  audio_ratio: isOptional(isNumber),
  audio_completion_ratio: isOptional(isNumber),
  image_input: isOptional(isNumber),
  image_ratio: isOptional(isNumber),
  surcharges: isOptional(isListOf(isSurcharge)),
  price_units: isOptional(isNumber),
  quota_per_unit: isOptional(isNumber),
  reasoning_tokens: isOptional(isNumber),
  use_time_ms: isOptional(isNumber),
  endpoint: isOptional(isText),
  response_cache: isOptional(isFlag),
  response_cache_ratio: isOptional(isNumber),
  playground: isOptional(isFlag),
  price_rule: isOptional(isText),
  usage_estimated: isOptional(isFlag),
  claude: isOptional(isFlag),
  is_model_mapped: isOptional(isFlag),
  upstream_model_name: isOptional(isText),
  frt: isOptional(isNumber),
  admin_info: isOptional(
    isObjectOf<NonNullable<LogDetails["admin_info"]>>({ use_channel: isOptional(isListOf(isText)) }),
  ),
  reasoning_effort: isOptional(isText),
  system_prompt: isOptional(isText),
  context: isAnything,
  input_content: isAnything,
  output_content: isAnything,
  error_type: isOptional(isText),
  error_code: isOptional(isText),
  status_code: isOptional(isNumber),
  channel_id: isOptional(isNumber),
});

const NO_DETAILS: LogDetails = {};

/** What a row's `other` says; a row whose details cannot be read simply has none. */
export const parseLogDetails = (entry: LogEntry): LogDetails => parseJson(isLogDetails, entry.other) ?? NO_DETAILS;

export const isLogStat = isObjectOf<LogStat>({ quota: isNumber, rpm: isNumber, tpm: isNumber });
