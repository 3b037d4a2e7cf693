import { asList, asNumber, asObject, asText } from "../../core/chat/json.ts";
import type { UpstreamFailure } from "../../core/errors/relay-error.ts";
import type { Target } from "../contract/target.ts";
import { isCloudflareGateway } from "../formats/openai/openai-address.ts";
import { getFailure, readFailure, statusFailure } from "../shared/upstream-failure.ts";

const cloudflareAccount = (target: Target, baseUrl: string): string =>
  `${target.baseUrl || baseUrl}/client/v4/accounts/${encodeURIComponent(target.other.trim())}/ai`;

/** Cloudflare: the account's id is the channel's `other`; the URL of its AI gateway names the account. */
export const cloudflareChat = (target: Target, baseUrl: string): string =>
  isCloudflareGateway(target.baseUrl)
    ? `${target.baseUrl}/v1/chat/completions`
    : `${cloudflareAccount(target, baseUrl)}/v1/chat/completions`;

/** The same account's other models, each under its own name, whose slashes are part of the path. */
export function cloudflareRun(target: Target, baseUrl: string): string {
  const model = target.model.split("/").map(encodeURIComponent).join("/").replace("%40", "@");
  if (isCloudflareGateway(target.baseUrl)) return `${target.baseUrl}/${model}`;
  return `${cloudflareAccount(target, baseUrl)}/run/${model}`;
}

/** Cloudflare's catalogue of text models. */
export const cloudflareModels = (target: Target, baseUrl: string): string =>
  `${cloudflareAccount(target, baseUrl)}/models/search?per_page=1000&task=Text%20Generation`;

/** Cloudflare's `{success: false, errors: [{code, message}]}`. */
export function cloudflareError(status: number, body: unknown): UpstreamFailure {
  const first = asObject(asList(asObject(body)?.["errors"])[0]);
  const message = asText(first?.["message"]);
  if (!message) return readFailure(body) ?? statusFailure(status);
  return getFailure(message, { code: asNumber(first?.["code"])?.toString() });
}

/** Cloudflare's model list. */
export const cloudflareNames = (body: unknown): string[] =>
  asList(asObject(body)?.["result"]).flatMap((model) => asText(asObject(model)?.["name"]) ?? []);
