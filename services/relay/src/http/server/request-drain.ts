import type { IncomingMessage, ServerResponse } from "node:http";

/** A body of so many bytes is dropped: a new connection would cost both sides more. */
const DROPPED_BYTES_MAX = 1024 * 1024;

/** So long what a caller still sends is dropped after the answer. */
const LINGER_MS = 10_000;

/**
 * Ends the connection behind the answer, but goes on dropping what comes: a connection closed with bytes unread is reset, and a caller
 * who is still sending would lose the answer with it (RFC 9112, section 9.6).
 */
function closeBehind(request: IncomingMessage): void {
  const { socket } = request;
  request.removeAllListeners("data").resume();
  socket.end();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  timer.unref();
  socket.once("close", () => clearTimeout(timer));
}

/**
 * Ends a call that was answered before its body was read. A small rest is dropped as it comes, and the connection serves the next call;
 * one that is large, or does not say how large, ends with the connection once the answer is out.
 */
export function drainRequestBody(request: IncomingMessage, response: ServerResponse): void {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  if (request.complete || (length === undefined && encoding === undefined)) return;
  const bytes = Number(length ?? Number.POSITIVE_INFINITY);
  if (bytes <= DROPPED_BYTES_MAX) return void request.resume();
  const { socket } = request;
  // Node does this to connections that serve no further call, and destroys them.
  socket.destroySoon = () => void socket.end();
  response.once("finish", () => closeBehind(request));
}
