import type { Citation, Json, WebSearch } from "../../core/chat/chat.ts";
import { asList, asObject, asText } from "../../core/chat/json.ts";
import { parseWebSearch } from "../openai-chat/openai-web-search.ts";

/**
 * Whether a tool is a web search that chat supports too: models search if their provider can, and respond without a
 * search otherwise. Agents offer it with every call. A search restricted to some domains is excluded: other providers
 * would ignore the restriction.
 */
export function isPlainSearch(value: unknown): boolean {
  const tool = asObject(value);
  return asText(tool?.["type"])?.startsWith("web_search") === true && !tool?.["filters"];
}

/** The offered web search; undefined if there is none. Throws invalid_request. */
export function searchAmong(tools: unknown): WebSearch | undefined {
  const tool = asObject(asList(tools).find(isPlainSearch));
  if (!tool) return undefined;
  const { search_context_size: size, user_location: place } = tool;
  return parseWebSearch({
    search_context_size: size,
    user_location: asObject(place) ? { approximate: place } : undefined,
  });
}

/** Citations as the annotations of a text; they are flat here. */
export const getAnnotations = (citations: readonly Citation[]): Json[] =>
  citations.map(({ url, title, startIndex, endIndex }) => ({
    type: "url_citation",
    start_index: startIndex,
    end_index: endIndex,
    title,
    url,
  }));
