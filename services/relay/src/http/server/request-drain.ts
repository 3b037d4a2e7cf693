import type { IncomingMessage, ServerResponse } from "node:http";

/** Bodies up to this size are drained: a new connection would cost both sides more. */
const DROPPED_BYTES_MAX = 1024 * 1024;

/** How long further bytes from the client are drained after the response. */
const LINGER_MS = 10_000;

/**
 * Closes the connection after the response, but keeps draining: closing a connection with unread bytes resets it, and a
 * client that is still sending would lose the response (RFC 9112, section 9.6).
 */
function closeAfterResponse(request: IncomingMessage): void {
  const { socket } = request;
  request.removeAllListeners("data").resume();
  socket.end();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  timer.unref();
  socket.once("close", () => clearTimeout(timer));
}

/**
 * Ends a call that got its response before its body was read. A small remaining body is drained, and the connection is
 * reused; if it is large or of unknown length, the connection is closed after the response.
 */
export function drainRequestBody(request: IncomingMessage, response: ServerResponse): void {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  if (request.complete || (length === undefined && encoding === undefined)) return;
  const bytes = Number(length ?? Number.POSITIVE_INFINITY);
  if (bytes <= DROPPED_BYTES_MAX) return void request.resume();
  const { socket } = request;
  // Node calls this on connections that are not reused, and would destroy them.
  socket.destroySoon = () => void socket.end();
  response.once("finish", () => closeAfterResponse(request));
}
