import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import type { ResponseHeaders, ResponseSink } from "./upstream-call.ts";

/** Content codings of RFC 9110, 8.4.1, and those of RFC 7932 and RFC 8878. */
const UNPACKERS = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
} as const;

const isKnown = (coding: string): coding is keyof typeof UNPACKERS => Object.hasOwn(UNPACKERS, coding);

/** Accepts the bytes of a compressed body and passes the decompressed bytes to the sink. */
export type Decompressor = {
  readonly data: (chunk: Buffer) => void;
  readonly end: () => void;
  readonly abandon: () => void;
};

/**
 * For bodies that are compressed although that was not requested, as sent by some proxies in front of providers;
 * undefined if a body is not compressed or uses an unknown coding. Decompressed bytes are passed on at once, so that
 * streams keep streaming.
 */
export function createDecompressor(headers: ResponseHeaders, sink: ResponseSink): Decompressor | undefined {
  const coding = String(headers["content-encoding"] ?? "").toLowerCase();
  if (!isKnown(coding)) return undefined;
  const unpacker = UNPACKERS[coding]();
  unpacker.on("data", sink.data).on("end", sink.end).on("error", sink.fail);
  return {
    data: (chunk) => void unpacker.write(chunk),
    end: () => void unpacker.end(),
    abandon: () => {
      // Events after the sink's final call are ignored.
      unpacker.removeAllListeners().on("error", () => undefined);
      unpacker.destroy();
    },
  };
}
