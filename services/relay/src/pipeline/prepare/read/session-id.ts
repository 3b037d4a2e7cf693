import type { IncomingHttpHeaders } from "node:http";
import { RelayError } from "../../../core/errors/relay-error.ts";

/** The headers by which agents name their session: Claude Code, Codex (both spellings), others. The first one counts. */
const SESSION_HEADERS = [
  "x-claude-code-session-id",
  "session-id",
  "session_id",
  "x-session-id",
  "x-litellm-session-id",
] as const;
/** Session ids travel to every log row. */
const LENGTH_MAX = 256;

/** The session that the headers of a call name; undefined if none does. Throws invalid_request for a longer id. */
export function readSessionId(headers: IncomingHttpHeaders): string | undefined {
  for (const name of SESSION_HEADERS) {
    const id = headers[name];
    if (typeof id !== "string" || id === "") continue;
    if (id.length <= LENGTH_MAX) return id;
    throw new RelayError("invalid_request", `${name}: must be at most ${LENGTH_MAX} characters long`, { param: name });
  }
  return undefined;
}
