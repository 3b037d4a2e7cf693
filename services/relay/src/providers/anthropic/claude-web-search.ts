import type { ChatRequest, Citation, Json } from "../../core/chat/chat.ts";
import { asObject, asText, compact } from "../../core/chat/json.ts";
import { WEB_SEARCH_MAX_USES } from "../../core/chat/web-search-limits.ts";
import { RelayError } from "../../core/errors/relay-error.ts";

/** Anthropic takes no other name for it. */
const NAME = "web_search";

/** Anthropic's own search as a tool, where it is asked for. Throws invalid_request when a tool of the caller's has its name. */
export function searchTools({ webSearch, tools = [] }: ChatRequest): Json[] {
  if (!webSearch) return [];
  if (tools.some(({ name }) => name === NAME)) {
    throw new RelayError("invalid_request", `a tool named ${NAME} does not go with web_search_options on this model`, {
      param: "tools",
    });
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

/** Finds out which stretch of the text each cited page stands for: that of the block it is cited in. */
export function createCitations() {
  const found: Citation[] = [];
  let pages = new Map<string, string>();
  let blockStart = 0;
  let length = 0;
  return {
    text(text: string): void {
      length += text.length;
    },
    /** A citation of the block that is open; those of documents have no address and are left out. */
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
    /** What an answer says of them: nothing where there are none. */
    field: (): { citations?: readonly Citation[] } => (found.length === 0 ? {} : { citations: found }),
  };
}
