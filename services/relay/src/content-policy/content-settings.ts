import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { createPatternRules, type PatternRules } from "./pattern-rules.ts";

/** The content options, parsed once per snapshot of options. */
export type ContentSettings = {
  /** Undefined if nothing is checked. */
  readonly promptRules: PatternRules | undefined;
  readonly responseRules: PatternRules | undefined;
  /** A response that breaks the rules ends at the match; otherwise matches are masked. */
  readonly stopsResponses: boolean;
  /** How many chunks of a response are held back, so that an expression is found before its beginning is sent. */
  readonly heldChunks: number;
  /** The group whose calls are not checked. */
  readonly exemptGroup: string | undefined;
  readonly blocksExtensions: boolean;
  /** Interval of comments in idle streams, 0 for none. */
  readonly pingMs: number;
  readonly logsContent: boolean;
  /** Bodies of the same format are passed through unchanged. */
  readonly passesBodies: boolean;
};

const PING_SECONDS_DEFAULT = 10;
const settingsByOptions = new WeakMap<OptionsInForce, ContentSettings>();
/** The word list changes rarely, other options often. */
let last: { readonly list: string; readonly rules: PatternRules } | undefined;

function getRules(list: string): PatternRules | undefined {
  if (list.trim() === "") return undefined;
  if (last?.list !== list) last = { list, rules: createPatternRules(list) };
  return last.rules;
}

function read(options: OptionsInForce): ContentSettings {
  const isChecking = options.flag("CheckSensitiveEnabled");
  const rules = isChecking ? getRules(options.text("SensitiveWords")) : undefined;
  const seconds = options.number("general_setting.ping_interval_seconds");
  return {
    promptRules: options.flag("CheckSensitiveOnPromptEnabled") ? rules : undefined,
    responseRules: options.flag("CheckSensitiveOnCompletionEnabled") ? rules : undefined,
    stopsResponses: options.flag("StopOnSensitiveEnabled"),
    heldChunks: options.number("StreamCacheQueueLength"),
    exemptGroup: options.flag("global.safe_check_exempt_enabled")
      ? options.text("global.safe_check_exempt_group")
      : undefined,
    blocksExtensions: options.flag("global.block_browser_extension_enabled"),
    pingMs: options.flag("general_setting.ping_interval_enabled") ? (seconds || PING_SECONDS_DEFAULT) * 1000 : 0,
    logsContent: options.flag("LogChatContentEnabled"),
    passesBodies: options.flag("global.pass_through_request_enabled"),
  };
}

/** The content settings of a snapshot. */
export function contentSettings(options: OptionsInForce): ContentSettings {
  const known = settingsByOptions.get(options);
  if (known) return known;
  const settings = read(options);
  settingsByOptions.set(options, settings);
  return settings;
}
