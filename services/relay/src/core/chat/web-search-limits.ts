import type { WebSearch } from "./chat.ts";

/** How often Claude may search for as much as OpenAI's callers say may be read. */
export const WEB_SEARCH_MAX_USES: Readonly<Record<WebSearch["contextSize"], number>> = { low: 1, medium: 5, high: 10 };
