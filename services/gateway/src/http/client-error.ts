import { errorMessage, ERRORS } from "@turnpike/contract/errors";
import type { Duplex } from "node:stream";
import type { Language } from "./request-language.ts";

/** What Node's parser reports for a request line and headers above its limit of 16 kB. */
const HEADER_OVERFLOW = "HPE_HEADER_OVERFLOW";
/** How long a client may take to read the response. */
const LINGER_MS = 2_000;
const BAD_REQUEST = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n";

function toTooLong(language: Language): string {
  const code = "address_too_long";
  const body = JSON.stringify({ success: false, message: errorMessage(code, {}, language), code, params: {} });
  const head = [
    `HTTP/1.1 ${ERRORS[code].http} Request Header Fields Too Large`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "Connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

/**
 * Responds to a request that Node could not parse, before there is a request object: in the form of `/api` when its
 * address or headers are too long, which a search with a very long keyword is, and as Node does otherwise.
 */
export const createClientErrorHandler =
  (defaultLanguage: () => Language) =>
  (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    if (error.code !== HEADER_OVERFLOW) return void socket.end(BAD_REQUEST, () => socket.destroy());
    // Destroying it at once would reset the connection while the client still sends, and the response would be lost.
    socket.end(toTooLong(defaultLanguage()));
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
