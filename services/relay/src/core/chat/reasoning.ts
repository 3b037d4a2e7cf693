import type { ChatRequest, ContentPart, ReasoningEffort } from "./chat.ts";

type Reasoning = NonNullable<ChatRequest["reasoning"]>;
/** Reasoning that a model produced before its response. */
export type ReasoningPart = Extract<ContentPart, { type: "reasoning" | "redacted-reasoning" }>;

/** Whether a part is reasoning that its provider encrypted or signed, and requires back unchanged. */
export const isSignedReasoning = (part: ContentPart): part is ReasoningPart =>
  part.type === "redacted-reasoning" || (part.type === "reasoning" && part.signature !== undefined);

/** Efforts from the lowest to the highest. */
export const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** Whether a string is an effort. */
export const isEffort = (word: unknown): word is ReasoningEffort => EFFORTS.some((effort) => effort === word);

/** Upper budget bound of each effort; "minimal" is omitted because many models refuse it. */
const BUDGET_STEPS: readonly (readonly [number, ReasoningEffort])[] = [
  [1, "none"],
  [4096, "low"],
  [16384, "medium"],
];

/**
 * The requested effort, derived from the budget if only that was given; reasoning enabled without an effort is high, as
 * at Anthropic.
 */
export function getEffort({ effort, budgetTokens }: Reasoning): ReasoningEffort {
  if (effort) return effort;
  if (budgetTokens === undefined || budgetTokens < 0) return "high";
  return BUDGET_STEPS.find(([below]) => budgetTokens < below)?.[1] ?? "high";
}

/** Whether reasoning was disabled explicitly. */
export const isSwitchedOff = (reasoning: Reasoning): boolean => getEffort(reasoning) === "none";
