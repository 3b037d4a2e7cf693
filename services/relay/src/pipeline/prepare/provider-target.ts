import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { type Choice, getUpstreamModel } from "../../core/call/channel.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import type { ProviderSettings, Target } from "../../providers/contract/target.ts";
import { through } from "../../upstream/upstream-client.ts";

const settingsByOptions = new WeakMap<OptionsInForce, ProviderSettings>();

/** The options that providers read, computed once per snapshot. */
export function providerSettings(options: OptionsInForce): ProviderSettings {
  const known = settingsByOptions.get(options);
  if (known) return known;
  const settings: ProviderSettings = {
    claudeDefaultMaxTokens: options.json("claude.default_max_tokens"),
    claudeModelHeaders: options.json("claude.model_headers_settings"),
    claudeCacheBreakpoints: options.flag("claude.cache_breakpoints_enabled"),
    claudeThinkingAdapter: {
      enabled: options.flag("claude.thinking_adapter_enabled"),
      budgetShare: options.number("claude.thinking_adapter_budget_tokens_percentage"),
    },
    geminiSafetySettings: options.json("gemini.safety_settings"),
    geminiVersionSettings: options.json("gemini.version_settings"),
    geminiImageModels: options.json("gemini.supported_imagine_models"),
    geminiThinkingAdapter: {
      enabled: options.flag("gemini.thinking_adapter_enabled"),
      budgetShare: options.number("gemini.thinking_adapter_budget_tokens_percentage"),
      models: options.json("gemini.models_supported_thinking_budget"),
    },
    siteAddress: options.text("ServerAddress"),
  };
  settingsByOptions.set(options, settings);
  return settings;
}

/** What a provider needs to know about a channel to address and build a request. */
export function toTarget(
  choice: Choice,
  model: string,
  settings: ProviderSettings,
  clientHeaders: Readonly<Record<string, string>> = {},
): Target {
  const { channel, key } = choice;
  return {
    channelType: channel.type,
    baseUrl: channel.baseUrl,
    key,
    model: getUpstreamModel(channel, model),
    organization: channel.organization,
    other: channel.other,
    clientHeaders,
    settings,
    ...through(channel.proxy),
  };
}

type AttemptContext = {
  readonly options: OptionsInForce;
  readonly accessToken: string | undefined;
  readonly uploaded?: readonly string[] | undefined;
};

/** The target of one attempt of a call, with what the provider received before it. */
export function toAttemptTarget(choice: Choice, call: RelayCall, context: AttemptContext): Target {
  const { options, accessToken, uploaded } = context;
  const plain = toTarget(choice, call.model, providerSettings(options), call.clientHeaders);
  const known = accessToken === undefined ? plain : { ...plain, accessToken };
  return uploaded === undefined ? known : { ...known, uploaded };
}
