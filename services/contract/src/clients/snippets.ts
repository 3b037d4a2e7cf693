import { AGENT_SNIPPETS } from "./agent-snippets.ts";
import { LIBRARY_SNIPPETS } from "./library-snippets.ts";
import type { ClientSnippet } from "./snippet.ts";

/**
 * How clients are connected: shown in the console with the caller's key, in `docs/clients` with a placeholder, and used by
 * `make clients-test` to set up the real clients.
 */
export const SNIPPETS: readonly ClientSnippet[] = [
  ...LIBRARY_SNIPPETS.first,
  ...AGENT_SNIPPETS,
  ...LIBRARY_SNIPPETS.frameworks,
];
