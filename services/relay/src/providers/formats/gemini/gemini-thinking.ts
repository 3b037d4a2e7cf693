import type { ChatRequest, Json, ReasoningEffort } from "../../../core/chat/chat.ts";
import { asNumber, asObject, compact } from "../../../core/chat/json.ts";
import { getEffort, isSwitchedOff } from "../../../core/chat/reasoning.ts";
import type { ProviderSettings, Target } from "../../contract/target.ts";
import { withoutForeignSignatures } from "./foreign-signatures.ts";
import { geminiTraits, type GeminiTraits } from "./gemini-models.ts";

/** Google's own mapping of OpenAI's efforts. */
const BUDGETS: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 24_576,
  max: 32_768,
};

/** The reasoning that a name's suffix requests: a budget, enabled (`on`), or disabled (`off`). */
type SuffixThinking = number | "on" | "off";

const SUFFIX = /^(.+?)-(?:(nothinking)|thinking(?:-(\d+))?)$/;

/**
 * The upstream name and what its suffix requests: `-thinking`, `-thinking-N` and `-nothinking` are removed. Only if the
 * site's adapter is on, for the models listed there, with or without the suffix.
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

function getLevel(effort: ReasoningEffort, { mediumLevel }: GeminiTraits): string {
  if (effort === "none" || effort === "minimal" || effort === "low") return "low";
  return effort === "medium" && mediumLevel ? "medium" : "high";
}

function getReasoning(
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
 * `thinkingConfig` for the caller's request or the name's suffix; undefined if nothing was requested or the model has
 * no reasoning. Budgets are clamped to the model's range; models with levels cannot disable reasoning, so they get the
 * lowest level.
 */
export function geminiThinking(
  request: Pick<ChatRequest, "reasoning" | "maxOutputTokens">,
  model: string,
  suffix: SuffixThinking | undefined,
  settings: ProviderSettings,
): Json | undefined {
  const traits = geminiTraits(model);
  const reasoning = getReasoning(request, suffix, settings);
  if (!reasoning || !traits.thinking) return undefined;
  const includeThoughts = !isSwitchedOff(reasoning);
  if (traits.thinking.kind === "level")
    return { thinkingLevel: getLevel(getEffort(reasoning), traits), includeThoughts };
  const isBare = reasoning.effort === undefined && (reasoning.budgetTokens ?? -1) < 0;
  if (isBare) return { thinkingBudget: -1, includeThoughts };
  const budget = reasoning.effort === undefined ? (reasoning.budgetTokens ?? 0) : BUDGETS[reasoning.effort];
  const { min, max } = traits.thinking;
  // Flash-Lite's smallest budget is 512, yet reasoning can be disabled; Pro's cannot.
  const canBeOff = !model.includes("pro");
  if (budget === 0 && canBeOff) return { thinkingBudget: 0, includeThoughts };
  return { thinkingBudget: Math.min(Math.max(budget, min), max), includeThoughts };
}

/**
 * Adapts a caller's own body: the suffix of a name becomes the parameter, and another model's signatures are removed.
 * Otherwise returns the same object.
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
