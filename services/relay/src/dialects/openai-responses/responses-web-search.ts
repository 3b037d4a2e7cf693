import type { Citation, Json, WebSearch } from "../../core/chat/chat.ts";
import { asList, asObject, asText } from "../../core/chat/json.ts";
import { parseWebSearch } from "../openai-chat/openai-web-search.ts";

/**
 * Whether a tool is a search that chat has as well: models look things up where their provider can, and answer without where it cannot.
 * Agents offer it with every call. One that is bound to some sites is not: it would find others.
 */
export function isPlainSearch(value: unknown): boolean {
  const tool = asObject(value);
  return asText(tool?.["type"])?.startsWith("web_search") === true && !tool?.["filters"];
}

/** The search that is offered, undefined where none is. Throws invalid_request. */
export function searchAmong(tools: unknown): WebSearch | undefined {
  const tool = asObject(asList(tools).find(isPlainSearch));
  if (!tool) return undefined;
  const { search_context_size: size, user_location: place } = tool;
  return parseWebSearch({
    search_context_size: size,
    user_location: asObject(place) ? { approximate: place } : undefined,
  });
}

/** Citations as the annotations of a text; they lie flat here. */
export const annotationsOf = (citations: readonly Citation[]): Json[] =>
  citations.map(({ url, title, startIndex, endIndex }) => ({
    type: "url_citation",
    start_index: startIndex,
    end_index: endIndex,
    title,
    url,
  }));
