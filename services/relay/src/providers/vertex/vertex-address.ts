import { asObject, asText, parseJson } from "../../core/chat/json.ts";
import { JSON_CONTENT } from "../shared/json-content.ts";
import type { Target } from "../contract/target.ts";
import { readServiceAccount } from "./service-account.ts";

const REGION_DEFAULT = "us-central1";

/** The region of a model: the channel's `other` contains one region for all, or one per model with a default. */
export function getRegion({ other }: Target, model: string): string {
  const text = other.trim();
  if (!text.startsWith("{")) return text || REGION_DEFAULT;
  const regions = asObject(parseJson(text));
  return asText(regions?.[model]) || asText(regions?.["default"]) || REGION_DEFAULT;
}

/** Scheme and host; the region "global" has no region prefix in the host. */
export function getHost({ baseUrl }: Target, region: string): string {
  if (baseUrl !== "") return baseUrl;
  return region === "global"
    ? "https://aiplatform.googleapis.com"
    : `https://${encodeURIComponent(region)}-aiplatform.googleapis.com`;
}

/** A URL within the account's project and the model's region. */
export function vertexUrl(target: Target, model: string, version: string, path: string): string {
  const region = getRegion(target, model);
  const { projectId } = readServiceAccount(target.key);
  const place = `projects/${encodeURIComponent(projectId)}/locations/${encodeURIComponent(region)}`;
  return `${getHost(target, region)}/${version}/${place}/${path}`;
}

/** The access token for the key. */
export const vertexHeaders = ({ accessToken = "" }: Target): Record<string, string> => ({
  ...JSON_CONTENT,
  authorization: `Bearer ${accessToken}`,
});
