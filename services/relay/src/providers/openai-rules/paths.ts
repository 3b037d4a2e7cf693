import type { Target } from "../contract/provider.ts";

/** The version of Azure's API where the channel names none. */
const AZURE_VERSION_DEFAULT = "2025-04-01-preview";
/** The last version whose list names the account's own deployments. */
const AZURE_LIST_VERSION = "2023-03-15-preview";
const GATEWAY = "https://gateway.ai.cloudflare.com/";
/** Azure's newer surface has no deployments in the path and no version in the query. */
const AZURE_V1 = /\/openai\/v1$/;

/** Whether the channel's address is Azure's newer surface. */
export const isAzureV1 = ({ baseUrl }: Target): boolean => AZURE_V1.test(baseUrl);

/** The version that the caller named, else the channel's. */
export const azureVersion = ({ callerHeaders, other }: Target): string =>
  encodeURIComponent(callerHeaders["api-version"] || other.trim() || AZURE_VERSION_DEFAULT);

/** Azure: the model is a deployment of the account; the version stands in the caller's query or in the channel's `other`. */
export function azureChat(target: Target): string {
  if (isAzureV1(target)) return `${target.baseUrl}/chat/completions`;
  const version = azureVersion(target);
  const deployments = target.baseUrl.startsWith(GATEWAY) ? target.baseUrl : `${target.baseUrl}/openai/deployments`;
  return `${deployments}/${encodeURIComponent(target.model)}/chat/completions?api-version=${version}`;
}

/** Azure's deployments, by the names that calls use. */
export const azureModels = (target: Target): string =>
  isAzureV1(target)
    ? `${target.baseUrl}/models`
    : `${target.baseUrl}/openai/deployments?api-version=${AZURE_LIST_VERSION}`;

const cloudflareAccount = (target: Target, baseUrl: string): string =>
  `${target.baseUrl || baseUrl}/client/v4/accounts/${encodeURIComponent(target.other.trim())}/ai`;

/** Cloudflare: the account's id is the channel's `other`; its AI gateway names the account in the address. */
export const cloudflareChat = (target: Target, baseUrl: string): string =>
  target.baseUrl.startsWith(GATEWAY)
    ? `${target.baseUrl}/v1/chat/completions`
    : `${cloudflareAccount(target, baseUrl)}/v1/chat/completions`;

/** The same account's other models, each under its own name; its slashes are the path's. */
export function cloudflareRun(target: Target, baseUrl: string): string {
  const model = target.model.split("/").map(encodeURIComponent).join("/").replace("%40", "@");
  if (target.baseUrl.startsWith(GATEWAY)) return `${target.baseUrl}/${model}`;
  return `${cloudflareAccount(target, baseUrl)}/run/${model}`;
}

/** Cloudflare's catalogue of text models. */
export const cloudflareModels = (target: Target, baseUrl: string): string =>
  `${cloudflareAccount(target, baseUrl)}/models/search?per_page=1000&task=Text%20Generation`;

/** GitHub keeps its catalogue beside the inference part of the address. */
export const githubCatalog = (target: Target, baseUrl: string): string =>
  `${(target.baseUrl || baseUrl).replace(/\/inference$/, "")}/catalog/models`;
