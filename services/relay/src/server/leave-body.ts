import type { IncomingMessage, ServerResponse } from "node:http";

/** A body of so many bytes is dropped: a new connection would cost both sides more. */
const DROPPED_BYTES_MAX = 1024 * 1024;

/**
 * Ends a call that was answered before its body was read. A small rest is dropped as it comes, and the connection serves the next call;
 * one that is large, or does not say how large, is cut with the connection once the answer is out.
 */
export function leaveBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  const bytes = Number(request.headers["content-length"] ?? Number.POSITIVE_INFINITY);
  if (bytes <= DROPPED_BYTES_MAX) request.resume();
  else response.once("finish", () => request.destroy());
}
