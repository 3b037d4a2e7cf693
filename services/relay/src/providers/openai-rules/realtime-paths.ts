import type { Target } from "../contract/provider.ts";
import { azureVersion, isAzureV1 } from "./paths.ts";

/** Beside the chat call, the model in the query: OpenAI, and those who do as OpenAI does. */
export const besideChat = (target: Target, chatUrl: string): string =>
  `${chatUrl.replace(/\/chat\/completions.*$/, "/realtime")}?model=${encodeURIComponent(target.model)}`;

/** Azure: the deployment is the model; the older surface wants a version and has no path for deployments here. */
export function azureRealtime(target: Target, chatUrl: string): string {
  if (isAzureV1(target)) return besideChat(target, chatUrl);
  const deployment = encodeURIComponent(target.model);
  return `${target.baseUrl}/openai/realtime?api-version=${azureVersion(target)}&deployment=${deployment}`;
}

/** Ali keeps conversations apart from its OpenAI-like surface. */
export const aliRealtime = (target: Target, chatUrl: string): string =>
  `${new URL(chatUrl).origin}/api-ws/v1/realtime?model=${encodeURIComponent(target.model)}`;
