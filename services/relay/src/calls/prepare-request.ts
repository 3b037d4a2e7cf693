import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { Json } from "../chat/chat.ts";
import { RelayError } from "../errors/relay-error.ts";
import { providerOf } from "../providers/index.ts";
import type { Provider, ProviderSettings, Target } from "../providers/provider.ts";
import type { Choice } from "../routing/choose.ts";
import { upstreamModelOf } from "../routing/routing-table.ts";
import type { OutgoingRequest } from "../upstream/upstream-client.ts";
import type { ChatCall } from "./chat-call.ts";
import { patchTopLevel } from "./patch-body.ts";

export type Prepared = {
  readonly provider: Provider;
  /** Caller and upstream speak the same format: answers go through byte by byte. */
  readonly passThrough: boolean;
  readonly request: OutgoingRequest;
};

export type PhaseTimeouts = { readonly firstByteMs: number; readonly idleMs: number; readonly wholeMs: number };

const settingsByOptions = new WeakMap<OptionsInForce, ProviderSettings>();

/** The options that providers read, worked out once for each snapshot. */
export function providerSettings(options: OptionsInForce): ProviderSettings {
  const known = settingsByOptions.get(options);
  if (known) return known;
  const settings: ProviderSettings = {
    claudeDefaultMaxTokens: options.json("claude.default_max_tokens"),
    claudeModelHeaders: options.json("claude.model_headers_settings"),
    claudeThinkingAdapter: {
      enabled: options.flag("claude.thinking_adapter_enabled"),
      budgetShare: options.number("claude.thinking_adapter_budget_tokens_percentage"),
    },
    geminiSafetySettings: options.json("gemini.safety_settings"),
    geminiVersionSettings: options.json("gemini.version_settings"),
    geminiThinkingAdapter: {
      enabled: options.flag("gemini.thinking_adapter_enabled"),
      budgetShare: options.number("gemini.thinking_adapter_budget_tokens_percentage"),
      models: options.json("gemini.models_supported_thinking_budget"),
    },
  };
  settingsByOptions.set(options, settings);
  return settings;
}

export function targetOf(
  choice: Choice,
  model: string,
  settings: ProviderSettings,
  callerHeaders: Readonly<Record<string, string>> = {},
): Target {
  const { channel, key } = choice;
  return {
    channelType: channel.type,
    baseUrl: channel.baseUrl,
    key,
    model: upstreamModelOf(channel, model),
    organization: channel.organization,
    other: channel.other,
    callerHeaders,
    settings,
  };
}

/** What must change in a body that goes through: the model's name, usage asked for in streams, and what the operator overrides. */
function patchesOf(call: ChatCall, target: Target, override: Json | undefined): Record<string, unknown> {
  const values: Record<string, unknown> = { ...override };
  if (target.model !== call.model) values["model"] ??= target.model;
  if (call.stream && call.dialect.name === "openai-chat" && !call.includeUsage) {
    const sent = call.body["stream_options"];
    values["stream_options"] ??= { ...(typeof sent === "object" ? sent : {}), include_usage: true };
  }
  return values;
}

/** The caller's own bytes but for what must change; re-written only where the model's own rules ask for it. */
function passThroughBody(call: ChatCall, provider: Provider, target: Target, override: Json | undefined): string {
  const values = patchesOf(call, target, override);
  const adapted = provider.adaptBody?.(call.body, target) ?? call.body;
  if (adapted !== call.body) {
    // A suffix that the rules cut off the model's name stays off.
    const { model: _model, ...others } = values;
    const keepsModel = adapted["model"] !== call.body["model"];
    return JSON.stringify({ ...adapted, ...(keepsModel ? { ...others, ...override } : values) });
  }
  return Object.keys(values).length === 0 ? call.bodyText : patchTopLevel(call.bodyText, values);
}

/** The HTTP request of one attempt. Throws RelayError for a channel type without a provider or a body that cannot be converted. */
export function prepareRequest(
  call: ChatCall,
  choice: Choice,
  options: OptionsInForce,
  timeouts: PhaseTimeouts,
): Prepared {
  const { channel } = choice;
  const provider = providerOf(channel.type);
  if (!provider)
    throw new RelayError("no_available_channel", `channels of type ${channel.type} cannot serve this call`);
  const target = targetOf(choice, call.model, providerSettings(options), call.callerHeaders);
  const phases = {
    firstByteMs: call.stream ? timeouts.firstByteMs : timeouts.wholeMs,
    idleMs: call.stream ? timeouts.idleMs : timeouts.wholeMs,
  };
  if (provider.wireFormat === call.dialect.name) {
    const { url, headers } = provider.address(target, call.stream);
    const body = passThroughBody(call, provider, target, channel.paramOverride);
    return { provider, passThrough: true, request: { method: "POST", url, headers, body, ...phases } };
  }
  const { url, headers, json } = provider.buildRequest(call.request(), target);
  const body = JSON.stringify(channel.paramOverride ? { ...json, ...channel.paramOverride } : json);
  return { provider, passThrough: false, request: { method: "POST", url, headers, body, ...phases } };
}
