import type { ChatRequest, ContentPart, ReasoningEffort } from "./chat.ts";

type Reasoning = NonNullable<ChatRequest["reasoning"]>;
/** What a model thought before its answer. */
export type Thought = Extract<ContentPart, { type: "reasoning" | "redacted-reasoning" }>;

/** Whether a part is a thought that its provider sealed or signed, and wants back as it was. */
export const isSignedThought = (part: ContentPart): part is Thought =>
  part.type === "redacted-reasoning" || (part.type === "reasoning" && part.signature !== undefined);

/** Efforts from the weakest to the strongest. */
export const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** Whether a word is an effort. */
export const isEffort = (word: unknown): word is ReasoningEffort => EFFORTS.some((effort) => effort === word);

/** Below these budgets, the effort they come nearest to; "minimal" is left out because many models refuse it. */
const BUDGET_STEPS: readonly (readonly [number, ReasoningEffort])[] = [
  [1, "none"],
  [4096, "low"],
  [16384, "medium"],
];

/** The effort that was asked for, read off the budget where only that was given; a bare "on" is high, as at Anthropic. */
export function effortOf({ effort, budgetTokens }: Reasoning): ReasoningEffort {
  if (effort) return effort;
  if (budgetTokens === undefined || budgetTokens < 0) return "high";
  return BUDGET_STEPS.find(([below]) => budgetTokens < below)?.[1] ?? "high";
}

/** Whether thinking was switched off in so many words. */
export const isSwitchedOff = (reasoning: Reasoning): boolean => effortOf(reasoning) === "none";
