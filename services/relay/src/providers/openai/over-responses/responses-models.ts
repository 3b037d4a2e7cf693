/**
 * Models that OpenAI and Azure serve through the Responses API alone ("This model is only supported in v1/responses"): the pro tier,
 * codex and deep research, with their dated versions (OpenAI, Models; each model's page lists its endpoints).
 */
const RESPONSES_ONLY = /^(?:o\d-pro|gpt-5(?:\.\d+)?-pro|(?:.+-)?codex(?:-|$)|.+-deep-research)/;

export const isResponsesOnly = (model: string): boolean => RESPONSES_ONLY.test(model);

/** Deep research refuses to begin without a source. */
export const mustSearch = (model: string): boolean => model.includes("-deep-research");
