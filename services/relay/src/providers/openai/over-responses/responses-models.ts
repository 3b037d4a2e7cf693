/** Models of one beginning, and what they want that their relatives do not. */
type ResponsesModels = {
  readonly names: RegExp;
  /** Refuses `stream`. */
  readonly answersWhole?: true;
  /** Refuses to begin without a source to search. */
  readonly mustSearch?: true;
  /** Refuses to begin unless it may forget the middle of a long conversation. */
  readonly mustTruncate?: true;
};

/**
 * Models that OpenAI and Azure serve through the Responses API alone ("This model is only supported in v1/responses"), with their
 * dated versions. Source: OpenAI, Models (each model's page lists its endpoints and features); guides "Deep research" and
 * "Computer use". The first match counts.
 */
const RESPONSES_ONLY: readonly ResponsesModels[] = [
  { names: /^(?:o1|gpt-5)-pro/, answersWhole: true },
  { names: /^o\d-pro/ },
  { names: /^gpt-\d+(?:\.\d+)?-pro/ },
  { names: /(?:^|-)codex(?:-|$)/ },
  { names: /-deep-research/, mustSearch: true },
  { names: /^computer-use-preview/, mustTruncate: true },
];

/** One expression of all names, since every call to OpenAI asks. */
const ANY = new RegExp(RESPONSES_ONLY.map(({ names }) => names.source).join("|"));

export const isResponsesOnly = (model: string): boolean => ANY.test(model);

/** What a model wants; nothing for a name that is not in the table. */
export const wantsOf = (model: string): Omit<ResponsesModels, "names"> =>
  RESPONSES_ONLY.find(({ names }) => names.test(model)) ?? {};
