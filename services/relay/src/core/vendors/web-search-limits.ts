import type { WebSearch } from "../chat/chat.ts";

/** Claude's maximum number of searches for each OpenAI search context size. */
export const WEB_SEARCH_MAX_USES: Readonly<Record<WebSearch["contextSize"], number>> = { low: 1, medium: 5, high: 10 };
