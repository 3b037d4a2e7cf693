import { MODEL_API_PREFIXES, PLAYGROUND_PREFIX, toPrefixPattern } from "@turnpike/contract/api/model-api-paths";

const MODEL_API = toPrefixPattern(MODEL_API_PREFIXES.map(({ prefix }) => prefix));
const PLAYGROUND = toPrefixPattern([PLAYGROUND_PREFIX]);

/** Whether a URL belongs to the relay. */
export const isModelApi = (url: string): boolean => MODEL_API.test(url);

/** Whether a URL is the playground's: the only part of the model API that a console session authenticates. */
export const isPlayground = (url: string): boolean => PLAYGROUND.test(url);
