import { JSON_CONTENT } from "../shared/headers.ts";
import type { OpenAiLike } from "../registry/openai-compatible.ts";
import type { Place, Target } from "../contract/provider.ts";

const VERSION = "/v1";
const BASES_MAX = 1_000;

/** Cloudflare's AI gateway names the provider in the path and has no version there. */
const isCloudflareGateway = (baseUrl: string): boolean => baseUrl.startsWith("https://gateway.ai.cloudflare.com/");

/** The part of the path that the base URL's own path already ends in. */
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

/** Channels have few addresses and many calls: each is put together once. */
function joinOnce(baseUrl: string, path: string): string {
  const question = `${baseUrl} ${path}`;
  const known = joined.get(question);
  if (known !== undefined) return known;
  const url = join(baseUrl, path);
  if (joined.size >= BASES_MAX) joined.clear();
  joined.set(question, url);
  return url;
}

/** The key, and what the provider or the channel wants beside it. */
export function openAiHeaders(like: OpenAiLike, target: Target): Record<string, string> {
  const headers: Record<string, string> = like.hasApiKeyHeader
    ? { "api-key": target.key }
    : { authorization: `Bearer ${target.key}` };
  if (target.organization !== "") headers["openai-organization"] = target.organization;
  return like.headers ? { ...headers, ...like.headers(target) } : headers;
}

function placeOf(like: OpenAiLike, path: NonNullable<OpenAiLike["modelsPath"]>, target: Target): string {
  return typeof path === "string" ? joinOnce(target.baseUrl || like.baseUrl, path) : path(target, like.baseUrl);
}

/** Address and headers of a chat call. */
export function openAiAddress(like: OpenAiLike, target: Target): Place {
  const url = like.isWholeUrl
    ? target.baseUrl.replaceAll("{model}", () => encodeURIComponent(target.model))
    : placeOf(like, like.chatPath, target);
  return { url, headers: { ...JSON_CONTENT, ...openAiHeaders(like, target) } };
}

/** Address and headers of the model list; for whole-URL channels the list beside the chat call. */
export function openAiModelList(like: OpenAiLike, path: NonNullable<OpenAiLike["modelsPath"]>, target: Target): Place {
  const headers = openAiHeaders(like, target);
  if (!like.isWholeUrl || typeof path !== "string") return { url: placeOf(like, path, target), headers };
  const [stripQuery = ""] = target.baseUrl.split("?");
  const beside = stripQuery.replace(/\/chat\/completions$/, "/models");
  return { url: beside === stripQuery ? join(new URL(stripQuery).origin, path) : beside, headers };
}

const CALLERS_VERSION = "openai-beta";

/** Address and headers of a live conversation. The caller says by `openai-beta` which form of the API it speaks. */
export function openAiRealtime(
  like: OpenAiLike,
  address: NonNullable<OpenAiLike["realtime"]>,
): (target: Target) => Place {
  return (target) => {
    const version = target.callerHeaders[CALLERS_VERSION];
    return {
      url: address(target, openAiAddress(like, target).url).replace(/^http/, "ws"),
      headers: {
        ...openAiHeaders(like, target),
        ...(version === undefined ? {} : { [CALLERS_VERSION]: version }),
      },
    };
  };
}
