import type { Citation, Json, WebSearch } from "../../core/chat/chat.ts";
import { asList, asNumber, asObject, asText, compact } from "../../core/chat/json.ts";
import { WEB_SEARCH_MAX_USES } from "../../core/vendors/web-search-limits.ts";

/** The search tool's fixed name, also used in the conversation's earlier turns. */
export const SEARCH_NAME = "web_search";
const SEARCH_TYPE = /^web_search_\d+$/;
const PLACE = ["city", "region", "country", "timezone"] as const;

/**
 * Whether a tool is Anthropic's web search in a form that other providers support too: models search if their provider
 * can, and respond without a search otherwise. Agents offer it with every call. A search restricted to some domains is
 * excluded: other providers would ignore the restriction.
 */
export function isPlainSearch(value: unknown): boolean {
  const tool = asObject(value);
  const sites = [...asList(tool?.["allowed_domains"]), ...asList(tool?.["blocked_domains"])];
  return SEARCH_TYPE.test(asText(tool?.["type"]) ?? "") && sites.length === 0;
}

function getPlace(value: unknown): WebSearch["userLocation"] {
  const place = asObject(value) ?? {};
  const fields = PLACE.map((name) => [name, asText(place[name]) || undefined] as const);
  const location = compact(Object.fromEntries(fields));
  return Object.keys(location).length > 0 ? location : undefined;
}

/** The web search among the offered tools; undefined if there is none. */
export function searchAmong(tools: unknown): WebSearch | undefined {
  const tool = asObject(asList(tools).find(isPlainSearch));
  if (!tool) return undefined;
  const uses = asNumber(tool["max_uses"]) ?? WEB_SEARCH_MAX_USES.medium;
  const contextSize = uses <= WEB_SEARCH_MAX_USES.low ? "low" : uses <= WEB_SEARCH_MAX_USES.medium ? "medium" : "high";
  return compact({ contextSize, userLocation: getPlace(tool["user_location"]) } as const);
}

/**
 * A cited page. The cited text and the encrypted index of Anthropic's own search are not available from other
 * providers.
 */
export const getCitation = ({ url, title }: Citation): Json => ({
  type: "web_search_result_location",
  url,
  title,
  cited_text: "",
  encrypted_index: "",
});
