import { JSON_CONTENT } from "../headers.ts";
import type { OpenAiLike } from "../openai-likes.ts";
import type { Target } from "../provider.ts";

const VERSION = "/v1";

/** Cloudflare's AI gateway names the provider in the path and has no version there. */
const isCloudflareGateway = (baseUrl: string): boolean => baseUrl.startsWith("https://gateway.ai.cloudflare.com/");

function join(baseUrl: string, path: string): string {
  const drop = isCloudflareGateway(baseUrl) || baseUrl.endsWith(VERSION);
  return drop && path.startsWith(`${VERSION}/`) ? baseUrl + path.slice(VERSION.length) : baseUrl + path;
}

/** The key and, where the channel names one, the organization. */
export const openAiHeaders = (target: Target): Record<string, string> => ({
  authorization: `Bearer ${target.key}`,
  ...(target.organization === "" ? {} : { "openai-organization": target.organization }),
});

/** Address and headers of a chat call. */
export function openAiAddress(like: OpenAiLike, target: Target) {
  const url = like.isWholeUrl
    ? target.baseUrl.replaceAll("{model}", () => encodeURIComponent(target.model))
    : join(target.baseUrl || like.baseUrl, like.chatPath);
  return { url, headers: { ...JSON_CONTENT, ...openAiHeaders(target) } };
}

/** Address and headers of the model list; for whole-URL channels the list beside the chat call. */
export function openAiModelList(like: OpenAiLike, target: Target) {
  if (!like.isWholeUrl) {
    return { url: join(target.baseUrl || like.baseUrl, like.modelsPath), headers: openAiHeaders(target) };
  }
  const [withoutQuery = ""] = target.baseUrl.split("?");
  const beside = withoutQuery.replace(/\/chat\/completions$/, "/models");
  const url = beside === withoutQuery ? join(new URL(withoutQuery).origin, like.modelsPath) : beside;
  return { url, headers: openAiHeaders(target) };
}
