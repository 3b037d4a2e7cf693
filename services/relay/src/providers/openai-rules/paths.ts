import type { Target } from "../contract/provider.ts";

/** Azure's API version if the channel names none. */
const AZURE_VERSION_DEFAULT = "2025-04-01-preview";
/** The last version whose list contains the account's own deployments. */
const AZURE_LIST_VERSION = "2023-03-15-preview";
const GATEWAY = "https://gateway.ai.cloudflare.com/";
/** Azure's newer API has no deployments in the path and no version in the query. */
const AZURE_V1 = /\/openai\/v1$/;

/** Whether the channel's base URL is Azure's newer API. */
export const isAzureV1 = ({ baseUrl }: Target): boolean => AZURE_V1.test(baseUrl);

/** The caller's API version, else the channel's. */
export const azureVersion = ({ clientHeaders, other }: Target): string =>
  encodeURIComponent(clientHeaders["api-version"] || other.trim() || AZURE_VERSION_DEFAULT);

/**
 * Azure: the model is a deployment of the account; the version is in the caller's query or in the channel's `other`.
 */
export function azureChat(target: Target): string {
  if (isAzureV1(target)) return `${target.baseUrl}/chat/completions`;
  const version = azureVersion(target);
  const deployments = target.baseUrl.startsWith(GATEWAY) ? target.baseUrl : `${target.baseUrl}/openai/deployments`;
  return `${deployments}/${encodeURIComponent(target.model)}/chat/completions?api-version=${version}`;
}

/** Azure's deployments, by the names used in calls. */
export const azureModels = (target: Target): string =>
  isAzureV1(target)
    ? `${target.baseUrl}/models`
    : `${target.baseUrl}/openai/deployments?api-version=${AZURE_LIST_VERSION}`;

const cloudflareAccount = (target: Target, baseUrl: string): string =>
  `${target.baseUrl || baseUrl}/client/v4/accounts/${encodeURIComponent(target.other.trim())}/ai`;

/** Cloudflare: the account's id is the channel's `other`; the URL of its AI gateway names the account. */
export const cloudflareChat = (target: Target, baseUrl: string): string =>
  target.baseUrl.startsWith(GATEWAY)
    ? `${target.baseUrl}/v1/chat/completions`
    : `${cloudflareAccount(target, baseUrl)}/v1/chat/completions`;

/** The same account's other models, each under its own name, whose slashes are part of the path. */
export function cloudflareRun(target: Target, baseUrl: string): string {
  const model = target.model.split("/").map(encodeURIComponent).join("/").replace("%40", "@");
  if (target.baseUrl.startsWith(GATEWAY)) return `${target.baseUrl}/${model}`;
  return `${cloudflareAccount(target, baseUrl)}/run/${model}`;
}

/** Cloudflare's catalogue of text models. */
export const cloudflareModels = (target: Target, baseUrl: string): string =>
  `${cloudflareAccount(target, baseUrl)}/models/search?per_page=1000&task=Text%20Generation`;

/** GitHub's catalogue is outside the inference part of its URL. */
export const githubCatalog = (target: Target, baseUrl: string): string =>
  `${(target.baseUrl || baseUrl).replace(/\/inference$/, "")}/catalog/models`;
