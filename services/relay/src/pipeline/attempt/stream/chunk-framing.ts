import { ServerResponse } from "node:http";
import type { Socket } from "node:net";

const LF = 10;
const CR = 13;
const HEX_DIGITS = Buffer.from("0123456789abcdef", "latin1");

/**
 * One HTTP/1.1 chunk (RFC 9112, section 7.1) in one buffer: the size in hexadecimal digits, the bytes of all parts, and
 * the line ends around them. `bytes` is the sum of the parts' lengths, at least 1.
 */
export function frameChunk(parts: readonly Buffer[], bytes: number): Buffer {
  let digits = 1;
  for (let rest = bytes >>> 4; rest > 0; rest >>>= 4) digits++;
  const framed = Buffer.allocUnsafe(digits + bytes + 4);
  for (let at = digits - 1, rest = bytes; at >= 0; at--, rest >>>= 4) framed[at] = HEX_DIGITS[rest & 15] ?? 0;
  framed[digits] = CR;
  framed[digits + 1] = LF;
  let at = digits + 2;
  for (const part of parts) {
    framed.set(part, at);
    at += part.length;
  }
  framed[at] = CR;
  framed[at + 1] = LF;
  return framed;
}

/**
 * The socket that chunks of a response may be written to directly, once its headers were sent with
 * `transfer-encoding: chunked`. Node writes each chunk in four pieces and collects them for the next tick; one buffer
 * costs half as much. Undefined where Node has to write: HTTP/1.0, a pipelined response whose turn has not come, and
 * responses whose `write` is wrapped.
 */
export function findChunkSocket(response: ServerResponse): Socket | undefined {
  const isPlain = response.chunkedEncoding && response.write === ServerResponse.prototype.write;
  return isPlain && response.headersSent && response.socket ? response.socket : undefined;
}
