import type { ChatRequest, Json, ReasoningEffort } from "../../core/chat/chat.ts";
import { effortOf, isSwitchedOff } from "../../core/chat/reasoning.ts";
import type { ProviderSettings } from "../contract/provider.ts";
import { claudeTraits, type ClaudeTraits } from "./claude-models.ts";

const SUFFIX = "-thinking";
const BUDGET_MIN = 1024;
/** Leaves room for an answer beside the smallest budget. */
const MAX_TOKENS_MIN = 1280;
const MAX_TOKENS_DEFAULT = 8192;
/** Of a bound that the caller set, how much may be thought; the rest is for the answer. */
const BUDGET_SHARE_MAX = 0.8;

const BUDGETS: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: BUDGET_MIN,
  low: 2048,
  medium: 8192,
  high: 16384,
  xhigh: 20480,
  max: 20480,
};

/** What a call says about thinking. `maxTokens` has grown where the budget needs it; `isOn` is for the rules that depend on it. */
export type ClaudeThinking = {
  readonly maxTokens: number;
  readonly isOn: boolean;
  readonly thinking?: Json;
  readonly effort?: string;
};

type ThinkingQuestion = {
  readonly model: string;
  readonly maxOutputTokens: number | undefined;
  readonly reasoning: ChatRequest["reasoning"];
  /** The name's suffix asked for thinking, with this share of max_tokens as the budget. */
  readonly suffixShare: number | undefined;
  readonly settings: ProviderSettings;
};

/** The name without `-thinking`, where the site's adapter is on and the name has it. */
export function splitThinking(model: string, settings: ProviderSettings): { model: string; isThinking: boolean } {
  const isThinking = settings.claudeThinkingAdapter.enabled && model.endsWith(SUFFIX);
  return { model: isThinking ? model.slice(0, -SUFFIX.length) : model, isThinking };
}

function defaultMaxTokens(model: string, { claudeDefaultMaxTokens }: ProviderSettings): number {
  const usual = claudeDefaultMaxTokens["default"] ?? MAX_TOKENS_DEFAULT;
  return claudeDefaultMaxTokens[model] ?? Math.min(usual, claudeTraits(model).outputTokensMax);
}

function adaptiveEffort(effort: ReasoningEffort, traits: ClaudeTraits): string {
  if (effort === "none" || effort === "minimal") return "low";
  return effort === "xhigh" && traits.thinking === "either" ? "high" : effort;
}

/** `display` because newer models leave the text out unless asked, and a caller who asks for reasoning wants to read it. */
const adaptive = (maxTokens: number, effort: string | undefined): ClaudeThinking => ({
  maxTokens,
  isOn: true,
  thinking: { type: "adaptive", display: "summarized" },
  ...(effort === undefined ? {} : { effort }),
});

function budgeted(maxTokens: number, budgetTokens: number): ClaudeThinking {
  const budget = Math.max(BUDGET_MIN, Math.min(budgetTokens, maxTokens - 1));
  return { maxTokens, isOn: true, thinking: { type: "enabled", budget_tokens: budget } };
}

function switchedOff(maxTokens: number, { off }: ClaudeTraits): ClaudeThinking {
  if (off === "unasked") return { maxTokens, isOn: false };
  if (off === "least") return { maxTokens, isOn: true, effort: "low" };
  return { maxTokens, isOn: false, thinking: { type: off } };
}

/** With a bound the budget keeps to it; without one the bound makes room for the budget beside the usual answer. */
function budgetFor(
  reasoning: NonNullable<ChatRequest["reasoning"]>,
  bound: number | undefined,
  usual: number,
): ClaudeThinking {
  const wanted = reasoning.effort === undefined ? reasoning.budgetTokens : undefined;
  const budget = Math.max(BUDGET_MIN, wanted ?? BUDGETS[effortOf(reasoning)]);
  if (bound === undefined) return budgeted(budget + usual, budget);
  const maxTokens = Math.max(bound, MAX_TOKENS_MIN);
  return budgeted(maxTokens, wanted ?? Math.min(budget, Math.trunc(maxTokens * BUDGET_SHARE_MAX)));
}

/** How a call to this model says what the caller (or the name's suffix) wants of thinking. */
export function claudeThinking({
  model,
  maxOutputTokens,
  reasoning,
  suffixShare,
  settings,
}: ThinkingQuestion): ClaudeThinking {
  const traits = claudeTraits(model);
  const usual = defaultMaxTokens(model, settings);
  const maxTokens = maxOutputTokens ?? usual;
  if (suffixShare !== undefined) {
    const room = Math.max(maxTokens, MAX_TOKENS_MIN);
    if (traits.thinking === "budget") return budgeted(room, Math.trunc(room * suffixShare));
    return adaptive(room, reasoning?.effort && adaptiveEffort(reasoning.effort, traits));
  }
  if (!reasoning || traits.thinking === "never") return { maxTokens, isOn: false };
  if (isSwitchedOff(reasoning)) return switchedOff(maxTokens, traits);
  const wantsBudget =
    traits.thinking === "either" && reasoning.effort === undefined && reasoning.budgetTokens !== undefined;
  if (traits.thinking === "budget" || wantsBudget) return budgetFor(reasoning, maxOutputTokens, usual);
  return adaptive(maxTokens, adaptiveEffort(effortOf(reasoning), traits));
}
