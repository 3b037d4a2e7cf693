import { RelayError } from "../errors/relay-error.ts";
import { readJsonKeys } from "./json-entries.ts";

/**
 * Top-level request fields that decide what is served, what it costs, or what is checked, in any dialect, endpoint or
 * task. Google's services accept each of their fields in camel case and in snake case.
 */
const KNOWN_KEYS = `
  model messages system prompt input instructions contents content documents query systemInstruction
  system_instruction generationConfig generation_config serviceTier safetySettings safety_settings toolConfig
  tool_config cachedContent cached_content outputDimensionality output_dimensionality taskType task_type
  embedContentConfig embed_content_config container mcp_servers context_management inference_geo prediction
  models fallbacks plugins cache_control duration resolution input_fidelity partial_images requests suffix file stream stream_options
  stream_format n best_of echo logprobs top_logprobs max_tokens max_completion_tokens max_output_tokens
  max_tool_calls stop stop_sequences temperature top_p top_k seed frequency_penalty presence_penalty logit_bias
  tools tool_choice parallel_tool_calls functions function_call web_search_options reasoning reasoning_effort
  thinking output_config verbosity enable_thinking thinking_budget response_format text modalities audio voice
  speed format encoding_format dimensions size quality style width height image images mask background
  output_format service_tier store metadata user safety_identifier prompt_cache_key previous_response_id
  conversation include truncation language group action index taskId
  customId botType base64Array mv task_id continue_clip_id
`
  .trim()
  .split(/\s+/);

/** Keys that are equal for readers without regard to case, by Unicode's rules too: ſ counts as s, K as k. */
const fold = (key: string): string => key.toUpperCase().toLowerCase();

/** The name that all spellings of a known key have in common. */
const fieldByKey = new Map<string, string>(KNOWN_KEYS.map((key) => [key, fold(key).replaceAll("_", "")]));
const keyByFolded = new Map<string, string>(KNOWN_KEYS.map((key) => [fold(key), key]));

/** Whether a field of this name is read from requests. */
export const isKnownKey = (key: string): boolean => fieldByKey.has(key);

/** Keys are quoted in errors up to this length. */
const QUOTED_LENGTH_MAX = 64;
const quote = (key: string): string => JSON.stringify(key.slice(0, QUOTED_LENGTH_MAX));

const refuse = (key: string, problem: string): never => {
  throw new RelayError("invalid_request", `the field ${quote(key)} ${problem}`, {
    param: key.slice(0, QUOTED_LENGTH_MAX),
  });
};

/** A name for a key that no known one is; throws if it differs from a known one in case only. */
function toUnknownField(key: string): string {
  const folded = fold(key);
  const meant = keyByFolded.get(folded);
  if (meant !== undefined) refuse(key, `must be written ${quote(meant)}`);
  return `?${folded}`;
}

/**
 * Refuses keys that occur twice, also in both spellings of a known one (`serviceTier`, `service_tier`), and keys that differ from a known one in case only. An upstream may read the other value
 * of the two, or ignore case: it would serve something else than what was checked and priced. Throws invalid_request.
 */
export function checkRequestKeys(keys: Iterable<string>): void {
  const seen = new Set<string>();
  for (const key of keys) {
    // Unknown keys are compared among themselves only.
    const field = fieldByKey.get(key) ?? toUnknownField(key);
    if (seen.has(field)) refuse(key, "occurs twice");
    seen.add(field);
  }
}

/** The same for the text of a JSON object, which must be valid. */
export const checkBodyKeys = (text: string): void => checkRequestKeys(readJsonKeys(text));
