import type { ChatRequest, Json, ReasoningEffort } from "../../../core/chat/chat.ts";
import { getEffort, isSwitchedOff } from "../../../core/chat/reasoning.ts";
import type { ProviderSettings } from "../../contract/target.ts";
import { claudeTraits, type ClaudeTraits } from "./claude-models.ts";

const SUFFIX = "-thinking";
const BUDGET_MIN = 1024;
/** The lowest token limit with a budget: it leaves room for a response in addition to the smallest budget. */
const MAX_TOKENS_MIN = 1280;
const MAX_TOKENS_DEFAULT = 8192;
/** The share of the caller's token limit available for reasoning; the other part is for the response. */
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

/** The reasoning parameters of a call. `isOn` is for the rules that depend on it. */
export type ClaudeThinking = {
  readonly maxTokens: number;
  readonly isOn: boolean;
  readonly thinking?: Json;
  readonly effort?: string;
};

export type ThinkingQuestion = {
  readonly model: string;
  readonly maxOutputTokens: number | undefined;
  readonly reasoning: ChatRequest["reasoning"];
  /** Set if the name's suffix requested reasoning: the share of max_tokens used as the budget. */
  readonly suffixShare: number | undefined;
  readonly settings: ProviderSettings;
  /** The model's maximum, for calls that leave the length of the response to it. */
  readonly outputTokensMax?: number | undefined;
};

/** The name without `-thinking`, if the site's adapter is on and the name has that suffix. */
export function splitThinking(model: string, settings: ProviderSettings): { model: string; isThinking: boolean } {
  const isThinking = settings.claudeThinkingAdapter.enabled && model.endsWith(SUFFIX);
  return { model: isThinking ? model.slice(0, -SUFFIX.length) : model, isThinking };
}

/** The operator's limit for the model or for all models; without one the model's own, where the call leaves its length to the model. */
function defaultMaxTokens({ model, settings, outputTokensMax }: ThinkingQuestion): number {
  const { [model]: own, default: common = MAX_TOKENS_DEFAULT } = settings.claudeDefaultMaxTokens;
  const usual = common === MAX_TOKENS_DEFAULT ? (outputTokensMax ?? common) : common;
  return own ?? Math.min(usual, claudeTraits(model).outputTokensMax);
}

function adaptiveEffort(effort: ReasoningEffort, traits: ClaudeTraits): string {
  if (effort === "none" || effort === "minimal") return "low";
  return effort === "xhigh" && traits.thinking === "either" ? "high" : effort;
}

/**
 * `display` is set because newer models omit the text by default, and a caller who requests reasoning expects to read
 * it.
 */
const adaptive = (maxTokens: number, effort: string | undefined): ClaudeThinking => ({
  maxTokens,
  isOn: true,
  thinking: { type: "adaptive", display: "summarized" },
  ...(effort === undefined ? {} : { effort }),
});

/** The caller's limit holds: one that is too low for the smallest budget leaves reasoning out. */
function budgeted(maxTokens: number, budgetTokens: number): ClaudeThinking {
  if (maxTokens < MAX_TOKENS_MIN) return { maxTokens, isOn: false };
  const budget = Math.max(BUDGET_MIN, Math.min(budgetTokens, maxTokens - 1));
  return { maxTokens, isOn: true, thinking: { type: "enabled", budget_tokens: budget } };
}

function switchedOff(maxTokens: number, { off }: ClaudeTraits): ClaudeThinking {
  if (off === "unasked") return { maxTokens, isOn: false };
  if (off === "least") return { maxTokens, isOn: true, effort: "low" };
  return { maxTokens, isOn: false, thinking: { type: off } };
}

/**
 * With a token limit the budget stays within it; without one the limit makes room for the budget plus the usual
 * response.
 */
function budgetFor(
  reasoning: NonNullable<ChatRequest["reasoning"]>,
  bound: number | undefined,
  { usual, outputTokensMax }: { readonly usual: number; readonly outputTokensMax: number },
): ClaudeThinking {
  const requestedBudget = reasoning.effort === undefined ? reasoning.budgetTokens : undefined;
  const budget = Math.max(BUDGET_MIN, requestedBudget ?? BUDGETS[getEffort(reasoning)]);
  if (bound === undefined) return budgeted(Math.min(budget + usual, outputTokensMax), budget);
  return budgeted(bound, requestedBudget ?? Math.min(budget, Math.trunc(bound * BUDGET_SHARE_MAX)));
}

/** The reasoning parameters for this model from the caller's request or the name's suffix. */
export function claudeThinking(question: ThinkingQuestion): ClaudeThinking {
  const { model, maxOutputTokens, reasoning, suffixShare, outputTokensMax = Number.POSITIVE_INFINITY } = question;
  const traits = claudeTraits(model);
  const usual = defaultMaxTokens(question);
  const maxTokens = maxOutputTokens ?? usual;
  if (suffixShare !== undefined) {
    if (traits.thinking === "budget") return budgeted(maxTokens, Math.trunc(maxTokens * suffixShare));
    return adaptive(maxTokens, reasoning?.effort && adaptiveEffort(reasoning.effort, traits));
  }
  if (!reasoning || traits.thinking === "never") return { maxTokens, isOn: false };
  if (isSwitchedOff(reasoning)) return switchedOff(maxTokens, traits);
  const needsBudget =
    traits.thinking === "either" &&
    reasoning.effort === undefined &&
    reasoning.budgetTokens !== undefined &&
    maxTokens >= MAX_TOKENS_MIN;
  if (traits.thinking === "budget" || needsBudget)
    return budgetFor(reasoning, maxOutputTokens, { usual, outputTokensMax });
  return adaptive(maxTokens, adaptiveEffort(getEffort(reasoning), traits));
}
