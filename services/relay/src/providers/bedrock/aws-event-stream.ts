import { crc32 } from "node:zlib";
import type { Frame, FrameSplitter } from "../../core/wire/stream.ts";

/** One message of `application/vnd.amazon.eventstream`: its text headers and its payload. */
export type AwsMessage = { readonly headers: Readonly<Record<string, string>>; readonly payload: Buffer };

const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;
const MESSAGE_BYTES_MAX = 24 * 1024 * 1024;
const STRING = 7;
const BYTES = 6;
/** Value size in bytes by header type; strings and byte arrays contain their own length. */
const FIXED_BYTES: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };

function readHeaders(bytes: Buffer): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at < bytes.length;) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    const name = bytes.toString("utf8", at + 1, nameEnd);
    const type = bytes.readUInt8(nameEnd);
    at = nameEnd + 1;
    if (type === STRING || type === BYTES) {
      const end = at + 2 + bytes.readUInt16BE(at);
      if (type === STRING) headers[name] = bytes.toString("utf8", at + 2, end);
      at = end;
    } else {
      const length = FIXED_BYTES[type];
      if (length === undefined) throw new Error(`AWS event stream: unknown header type ${type}`);
      at += length;
    }
  }
  return headers;
}

function readMessage(bytes: Buffer): AwsMessage {
  const headersBytes = bytes.readUInt32BE(4);
  const payloadEnd = bytes.length - CHECKSUM_BYTES;
  if (crc32(bytes.subarray(0, payloadEnd)) !== bytes.readUInt32BE(payloadEnd))
    throw new Error("AWS event stream: damaged message");
  const payloadAt = PRELUDE_BYTES + headersBytes;
  return {
    headers: readHeaders(bytes.subarray(PRELUDE_BYTES, payloadAt)),
    payload: bytes.subarray(payloadAt, payloadEnd),
  };
}

function messageLength(bytes: Buffer): number {
  const length = bytes.readUInt32BE(0);
  const isDamaged = crc32(bytes.subarray(0, 8)) !== bytes.readUInt32BE(8);
  if (isDamaged || length > MESSAGE_BYTES_MAX || length < PRELUDE_BYTES + CHECKSUM_BYTES) {
    throw new Error("the response is not an AWS event stream");
  }
  return length;
}

/** Splits AWS's binary stream into messages and passes each to `toFrame`. Throws if a checksum does not match. */
export function createAwsSplitter(toFrame: (message: AwsMessage) => Frame): FrameSplitter {
  let rest: Buffer[] = [];
  let restBytes = 0;
  /** Chunks of a large message are joined once, when it is complete. */
  let awaitedBytes = 0;
  return {
    push(chunk: Buffer): Frame[] {
      rest.push(chunk);
      restBytes += chunk.length;
      if (restBytes < awaitedBytes) return [];
      let bytes = rest.length === 1 ? chunk : Buffer.concat(rest);
      awaitedBytes = 0;
      const frames: Frame[] = [];
      while (bytes.length >= PRELUDE_BYTES) {
        const length = messageLength(bytes);
        if (bytes.length < length) {
          awaitedBytes = length;
          break;
        }
        frames.push(toFrame(readMessage(bytes.subarray(0, length))));
        bytes = bytes.subarray(length);
      }
      rest = bytes.length === 0 ? [] : [bytes];
      restBytes = bytes.length;
      return frames;
    },
    end: () => undefined,
  };
}
