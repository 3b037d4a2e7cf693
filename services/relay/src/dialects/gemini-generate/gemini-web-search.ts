import type { Citation, Json, WebSearch } from "../../core/chat/chat.ts";
import { asObject, asObjects } from "../../core/chat/json.ts";

const SEARCH_NAME = /^google_?search(_?retrieval)?$/i;
const BOUND_BY = /^(exclude_?domains|time_?range_?filter)$/i;
const SEARCH: WebSearch = { contextSize: "medium" };

/**
 * Whether a tool's field is Google's search in a form that other providers support too: models search if their provider
 * can, and respond without a search otherwise. A search restricted to some domains or times is excluded: other
 * providers would ignore the restriction.
 */
export const isPlainSearch = (name: string, value: unknown): boolean =>
  SEARCH_NAME.test(name) && !Object.keys(asObject(value) ?? {}).some((field) => BOUND_BY.test(field));

/** The web search among the offered tools; undefined if there is none. */
export const searchAmong = (tools: unknown): WebSearch | undefined =>
  asObjects(tools).some((tool) => Object.entries(tool).some(([name, value]) => isPlainSearch(name, value)))
    ? SEARCH
    : undefined;

/** Cited pages as a candidate's groundingMetadata, whose offsets count bytes; empty if there are none. */
export function getGrounding(citations: readonly Citation[] | undefined, text: string): Json {
  if (!citations || citations.length === 0) return {};
  const urls = [...new Set(citations.map(({ url }) => url))];
  const titles = new Map(citations.map(({ url, title }) => [url, title]));
  const bytesBefore = (index: number): number => Buffer.byteLength(text.slice(0, index));
  const supports = citations
    .filter(({ endIndex }) => endIndex <= text.length)
    .map(({ url, startIndex, endIndex }) => ({
      segment: {
        startIndex: bytesBefore(startIndex),
        endIndex: bytesBefore(endIndex),
        text: text.slice(startIndex, endIndex),
      },
      groundingChunkIndices: [urls.indexOf(url)],
    }));
  const groundingChunks = urls.map((uri) => ({ web: { uri, title: titles.get(uri) ?? "" } }));
  return { groundingMetadata: { webSearchQueries: [], groundingChunks, groundingSupports: supports } };
}
