import type { ChatRequest, Citation, Json } from "../../../core/chat/chat.ts";
import { asObject, asText, compact } from "../../../core/chat/json.ts";
import { WEB_SEARCH_MAX_USES } from "../../../core/vendors/web-search-limits.ts";
import { RelayError } from "../../../core/errors/relay-error.ts";

/** Anthropic accepts no other name for it. */
const NAME = "web_search";

/**
 * Anthropic's own web search as a tool, if requested. Throws invalid_request if one of the caller's tools has its name.
 */
export function searchTools({ webSearch, tools = [] }: ChatRequest): Json[] {
  if (!webSearch) return [];
  if (tools.some(({ name }) => name === NAME)) {
    throw new RelayError(
      "invalid_request",
      `a tool named ${NAME} cannot be combined with web_search_options on this model; rename the tool`,
      {
        param: "tools",
      },
    );
  }
  const { contextSize, userLocation } = webSearch;
  const location = userLocation && { type: "approximate", ...userLocation };
  return [
    compact({
      type: "web_search_20250305",
      name: NAME,
      max_uses: WEB_SEARCH_MAX_USES[contextSize],
      user_location: location,
    }),
  ];
}

/** Finds the range of text for each cited page: the text block with the citation. */
export function createCitations() {
  const found: Citation[] = [];
  let pages = new Map<string, string>();
  let blockStart = 0;
  let length = 0;
  return {
    text(text: string): void {
      length += text.length;
    },
    /** A citation of the open block; document citations have no URL and are omitted. */
    cite(value: unknown): void {
      const citation = asObject(value);
      const url = asText(citation?.["url"]);
      if (url) pages.set(url, asText(citation?.["title"]) ?? "");
    },
    blockEnded(): void {
      for (const [url, title] of pages) found.push({ url, title, startIndex: blockStart, endIndex: length });
      if (pages.size > 0) pages = new Map();
      blockStart = length;
    },
    /** The citations of a response; empty if there are none. */
    field: (): { citations?: readonly Citation[] } => (found.length === 0 ? {} : { citations: found }),
  };
}
