import type { CallNeeds } from "../contract/provider.ts";
import { splitEffort } from "../formats/openai/openai-model-rules.ts";

/** Models by name prefix, and their requirements that related models do not have. */
type ResponsesModels = {
  readonly names: RegExp;
  /** Refuses `stream`. */
  readonly neverStreams?: true;
  /** Requires a search source. */
  readonly mustSearch?: true;
  /** Requires `truncation`. */
  readonly mustTruncate?: true;
};

/**
 * Models that OpenAI and Azure serve only through the Responses API ("This model is only supported in v1/responses"),
 * including their dated versions. Source: OpenAI, Models (each model's page lists its endpoints and features); guides
 * "Deep research" and "Computer use". The first match counts.
 */
const RESPONSES_ONLY: readonly ResponsesModels[] = [
  { names: /^(?:o1|gpt-5)-pro/, neverStreams: true },
  { names: /^o\d-pro/ },
  { names: /^gpt-\d+(?:\.\d+)?-pro/ },
  { names: /(?:^|-)codex(?:-|$)/ },
  { names: /-deep-research/, mustSearch: true },
  { names: /^computer-use-preview/, mustTruncate: true },
];

/** One expression for all names, because it is evaluated for every call to OpenAI. */
const ANY = new RegExp(RESPONSES_ONLY.map(({ names }) => names.source).join("|"));

export const isResponsesOnly = (model: string): boolean => ANY.test(model);

const GPT = /^gpt-(\d+)(?:\.(\d+))?(?!.*-chat)/;
/** From this version on, chat refuses function tools unless reasoning is off. */
const TOOLS_WITHOUT_REASONING = 504;
/** From this version on, a model reasons unless the call switches it off. */
const REASONS_BY_DEFAULT = 505;

function getVersion(model: string): number {
  const match = GPT.exec(model);
  return match ? Number(match[1]) * 100 + Number(match[2] ?? 0) : 0;
}

/**
 * Whether a model's chat refuses a call that its Responses API serves: "Function tools with reasoning_effort are not
 * supported for gpt-5.4 in /v1/chat/completions. Please use /v1/responses instead."
 */
export function needsResponses(model: string, getNeeds: () => CallNeeds): boolean {
  const version = getVersion(model);
  if (version < TOOLS_WITHOUT_REASONING) return false;
  const { hasTools, effort } = getNeeds();
  const byDefault = version < REASONS_BY_DEFAULT ? "none" : "medium";
  return hasTools && (effort ?? splitEffort(model).effort ?? byDefault) !== "none";
}

/** The requirements of a model; empty for a name that is not in the table. */
export const getRequirements = (model: string): Omit<ResponsesModels, "names"> =>
  RESPONSES_ONLY.find(({ names }) => names.test(model)) ?? {};
