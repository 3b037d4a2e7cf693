import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { openAiChat } from "../../dialects/openai-chat/openai-chat.ts";
import type { RelayError } from "../../core/errors/relay-error.ts";

const UPGRADE_REQUIRED = 426;

/** Refuses an upgrade with a response like that of any other call, in OpenAI's format, and closes the connection. */
export function refuseUpgrade(socket: Duplex, error: RelayError, requestId: string): void {
  const body = JSON.stringify(openAiChat.writeError(error, requestId));
  const retryAfter = error.retryAfterSeconds === undefined ? [] : [`retry-after: ${error.retryAfterSeconds}`];
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? "Error"}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    // RFC 9110, section 15.5.22: the protocol that serves what was requested.
    ...(error.status === UPGRADE_REQUIRED ? ["upgrade: HTTP/1.1"] : []),
    ...retryAfter,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
