import type { ChatRequest, Json, ReasoningEffort } from "../../core/chat/chat.ts";
import { asNumber, asObject, compact } from "../../core/chat/json.ts";
import { effortOf, isSwitchedOff } from "../../core/chat/reasoning.ts";
import type { ProviderSettings, Target } from "../contract/provider.ts";
import { withoutForeignSignatures } from "./foreign-signatures.ts";
import { geminiTraits, type GeminiTraits } from "./gemini-models.ts";

/** Google's own table for OpenAI's efforts. */
const BUDGETS: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 24_576,
  max: 32_768,
};

/** Which thinking a name's suffix asks for: a budget, thinking as such (`on`), or none (`off`). */
type SuffixThinking = number | "on" | "off";

const SUFFIX = /^(.+?)-(?:(nothinking)|thinking(?:-(\d+))?)$/;

/**
 * The upstream name and what its suffix asks: `-thinking`, `-thinking-N` and `-nothinking` are all cut off. Only with the site's
 * adapter on and for the models listed there, with or without the suffix.
 */
export function splitThinking(
  model: string,
  { geminiThinkingAdapter }: ProviderSettings,
): { model: string; suffix: SuffixThinking | undefined } {
  const match = SUFFIX.exec(model);
  const base = match?.[1];
  const { enabled, models } = geminiThinkingAdapter;
  if (!enabled || base === undefined || !(models.includes(base) || models.includes(model)))
    return { model, suffix: undefined };
  if (match?.[2]) return { model: base, suffix: "off" };
  return { model: base, suffix: match?.[3] === undefined ? "on" : Number(match[3]) };
}

function levelOf(effort: ReasoningEffort, { mediumLevel }: GeminiTraits): string {
  if (effort === "none" || effort === "minimal" || effort === "low") return "low";
  return effort === "medium" && mediumLevel ? "medium" : "high";
}

function reasoningOf(
  request: Pick<ChatRequest, "reasoning" | "maxOutputTokens">,
  suffix: SuffixThinking | undefined,
  { geminiThinkingAdapter }: ProviderSettings,
): ChatRequest["reasoning"] {
  if (suffix === undefined) return request.reasoning;
  if (suffix === "off") return { budgetTokens: 0 };
  if (suffix !== "on") return { budgetTokens: suffix };
  const bound = request.maxOutputTokens;
  return bound === undefined
    ? {}
    : { budgetTokens: Math.max(1, Math.trunc(bound * geminiThinkingAdapter.budgetShare)) };
}

/**
 * `thinkingConfig` for what the caller or the name's suffix asks; undefined where nothing was asked or the model does not think.
 * Budgets are brought within what the model takes; models of levels cannot switch thinking off, so they get the lowest.
 */
export function geminiThinking(
  request: Pick<ChatRequest, "reasoning" | "maxOutputTokens">,
  model: string,
  suffix: SuffixThinking | undefined,
  settings: ProviderSettings,
): Json | undefined {
  const traits = geminiTraits(model);
  const reasoning = reasoningOf(request, suffix, settings);
  if (!reasoning || !traits.thinking) return undefined;
  const includeThoughts = !isSwitchedOff(reasoning);
  if (traits.thinking.kind === "level") return { thinkingLevel: levelOf(effortOf(reasoning), traits), includeThoughts };
  const isBare = reasoning.effort === undefined && (reasoning.budgetTokens ?? -1) < 0;
  if (isBare) return { thinkingBudget: -1, includeThoughts };
  const wanted = reasoning.effort === undefined ? (reasoning.budgetTokens ?? 0) : BUDGETS[reasoning.effort];
  const { min, max } = traits.thinking;
  // Flash-Lite's smallest budget is 512, yet it may be switched off; Pro may not.
  const canBeOff = !model.includes("pro");
  if (wanted === 0 && canBeOff) return { thinkingBudget: 0, includeThoughts };
  return { thinkingBudget: Math.min(Math.max(wanted, min), max), includeThoughts };
}

/**
 * A caller's own body: the suffix of a name becomes the switch, another model's signatures are left out. Otherwise the very same
 * object.
 */
export function adaptGeminiBody(sent: Json, { model: name, settings }: Pick<Target, "model" | "settings">): Json {
  const { model, suffix } = splitThinking(name, settings);
  const body = withoutForeignSignatures(sent, model);
  if (suffix === undefined) return body;
  const field = body["generation_config"] === undefined ? "generationConfig" : "generation_config";
  const { thinkingConfig: _camel, thinking_config: _snake, ...config } = asObject(body[field]) ?? {};
  const maxOutputTokens = asNumber(config["maxOutputTokens"] ?? config["max_output_tokens"]);
  const thinkingConfig = geminiThinking(compact({ maxOutputTokens }), model, suffix, settings);
  return { ...body, [field]: thinkingConfig ? { ...config, thinkingConfig } : config };
}
