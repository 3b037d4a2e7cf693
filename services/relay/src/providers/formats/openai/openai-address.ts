import { JSON_CONTENT } from "../../shared/json-content.ts";
import type { OpenAiCompatible } from "./openai-compatible.ts";
import type { Endpoint } from "../../contract/provider.ts";
import type { Target } from "../../contract/target.ts";

const VERSION = "/v1";
const BASES_MAX = 1_000;

/** Cloudflare's AI gateway names the provider in the path and has no version there. */
export const isCloudflareGateway = (baseUrl: string): boolean =>
  baseUrl.startsWith("https://gateway.ai.cloudflare.com/");

/** The part of the path that the base URL already ends in. */
function sharedPart(baseUrl: string, path: string): string {
  const hostAt = baseUrl.indexOf("://") + 3;
  const pathAt = baseUrl.indexOf("/", hostAt);
  const basePath = pathAt < 0 ? "" : baseUrl.slice(pathAt);
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    if (basePath.endsWith(path.slice(0, end))) return path.slice(0, end);
  }
  return "";
}

function join(baseUrl: string, path: string): string {
  if (isCloudflareGateway(baseUrl) && path.startsWith(`${VERSION}/`)) return baseUrl + path.slice(VERSION.length);
  return baseUrl + path.slice(sharedPart(baseUrl, path).length);
}

const joined = new Map<string, string>();

/** Channels have few URLs and many calls: each URL is built once. */
function joinOnce(baseUrl: string, path: string): string {
  const question = `${baseUrl} ${path}`;
  const known = joined.get(question);
  if (known !== undefined) return known;
  const url = join(baseUrl, path);
  if (joined.size >= BASES_MAX) joined.clear();
  joined.set(question, url);
  return url;
}

/** The key, and the other headers of the provider or the channel. */
export function openAiHeaders(like: OpenAiCompatible, target: Target): Record<string, string> {
  const headers: Record<string, string> = like.hasApiKeyHeader
    ? { "api-key": target.key }
    : { authorization: `Bearer ${target.key}` };
  if (target.organization !== "") headers["openai-organization"] = target.organization;
  return like.headers ? { ...headers, ...like.headers(target) } : headers;
}

function getPlace(like: OpenAiCompatible, path: NonNullable<OpenAiCompatible["modelsPath"]>, target: Target): string {
  return typeof path === "string" ? joinOnce(target.baseUrl || like.baseUrl, path) : path(target, like.baseUrl);
}

/** URL and headers of a chat call. */
export function openAiAddress(like: OpenAiCompatible, target: Target): Endpoint {
  const url = like.isWholeUrl
    ? target.baseUrl.replaceAll("{model}", () => encodeURIComponent(target.model))
    : getPlace(like, like.chatPath, target);
  return { url, headers: { ...JSON_CONTENT, ...openAiHeaders(like, target) } };
}

/** URL and headers of the model list; for channels with a whole URL, the list next to the chat path. */
export function openAiModelList(
  like: OpenAiCompatible,
  path: NonNullable<OpenAiCompatible["modelsPath"]>,
  target: Target,
): Endpoint {
  const headers = openAiHeaders(like, target);
  if (!like.isWholeUrl || typeof path !== "string") return { url: getPlace(like, path, target), headers };
  const [stripQuery = ""] = target.baseUrl.split("?");
  const extra = stripQuery.replace(/\/chat\/completions$/, "/models");
  return { url: extra === stripQuery ? join(new URL(stripQuery).origin, path) : extra, headers };
}

const CALLERS_VERSION = "openai-beta";

/** URL and headers of a Realtime session. The caller's `openai-beta` header selects the version of the API. */
export function openAiRealtime(
  like: OpenAiCompatible,
  address: NonNullable<OpenAiCompatible["realtime"]>,
): (target: Target) => Endpoint {
  return (target) => {
    const version = target.clientHeaders[CALLERS_VERSION];
    return {
      url: address(target, openAiAddress(like, target).url).replace(/^http/, "ws"),
      headers: {
        ...openAiHeaders(like, target),
        ...(version === undefined ? {} : { [CALLERS_VERSION]: version }),
      },
    };
  };
}
