import {
  MODEL_API_PREFIXES,
  PLAYGROUND_PREFIX,
  toPrefixPattern,
  UNPREFIXED_PATHS,
} from "@turnpike/contract/api/models/model-api-paths";

const MODEL_API = toPrefixPattern(MODEL_API_PREFIXES.map(({ prefix }) => prefix));
const PLAYGROUND = toPrefixPattern([PLAYGROUND_PREFIX]);

/** The path of a URL without its query and trailing slash. */
const getPath = (url: string): string => (url.split("?", 1)[0] ?? "").replace(/\/$/, "");

/** Whether a request belongs to the relay. */
export const isModelApi = (url: string, method = "GET"): boolean =>
  MODEL_API.test(url) || (method === "POST" && UNPREFIXED_PATHS.has(getPath(url)));

/** Whether a URL is the playground's: the only part of the model API that a console session authenticates. */
export const isPlayground = (url: string): boolean => PLAYGROUND.test(url);
