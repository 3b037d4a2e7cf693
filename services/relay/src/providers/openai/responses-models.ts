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

/** The requirements of a model; empty for a name that is not in the table. */
export const getRequirements = (model: string): Omit<ResponsesModels, "names"> =>
  RESPONSES_ONLY.find(({ names }) => names.test(model)) ?? {};
