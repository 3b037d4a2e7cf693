import type { Target } from "../contract/target.ts";
import { azureVersion, isAzureV1 } from "./urls.ts";

/** Next to the chat path, with the model in the query: OpenAI and compatible providers. */
export const nonChat = (target: Target, chatUrl: string): string =>
  `${chatUrl.replace(/\/chat\/completions.*$/, "/realtime")}?model=${encodeURIComponent(target.model)}`;

/** Azure: the deployment is the model; the older API requires a version and has no deployment path for Realtime. */
export function azureRealtime(target: Target, chatUrl: string): string {
  if (isAzureV1(target)) return nonChat(target, chatUrl);
  const deployment = encodeURIComponent(target.model);
  return `${target.baseUrl}/openai/realtime?api-version=${azureVersion(target)}&deployment=${deployment}`;
}

/** Ali's Realtime API is separate from its OpenAI-compatible API. */
export const aliRealtime = (target: Target, chatUrl: string): string =>
  `${new URL(chatUrl).origin}/api-ws/v1/realtime?model=${encodeURIComponent(target.model)}`;
