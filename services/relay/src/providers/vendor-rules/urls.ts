import { isCloudflareGateway } from "../formats/openai/openai-address.ts";
import type { Target } from "../contract/target.ts";

/** Azure's API version if the channel names none. */
const AZURE_VERSION_DEFAULT = "2025-04-01-preview";
/** The last version whose list contains the account's own deployments. */
const AZURE_LIST_VERSION = "2023-03-15-preview";
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
  const deployments = isCloudflareGateway(target.baseUrl) ? target.baseUrl : `${target.baseUrl}/openai/deployments`;
  return `${deployments}/${encodeURIComponent(target.model)}/chat/completions?api-version=${version}`;
}

/** Azure's deployments, by the names used in calls. */
export const azureModels = (target: Target): string =>
  isAzureV1(target)
    ? `${target.baseUrl}/models`
    : `${target.baseUrl}/openai/deployments?api-version=${AZURE_LIST_VERSION}`;

/** GitHub's catalogue is outside the inference part of its URL. */
export const githubCatalog = (target: Target, baseUrl: string): string =>
  `${(target.baseUrl || baseUrl).replace(/\/inference$/, "")}/catalog/models`;
