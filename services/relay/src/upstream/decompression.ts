import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import type { AnswerHeaders, AnswerSink } from "./upstream-client.ts";

/** Codings of RFC 9110, 8.4.1, and those of RFC 7932 and RFC 8878. */
const UNPACKERS = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
} as const;

const isKnown = (coding: string): coding is keyof typeof UNPACKERS => Object.hasOwn(UNPACKERS, coding);

/** Takes the bytes of a packed body and gives the sink what is in them. */
export type Unpacking = {
  readonly data: (chunk: Buffer) => void;
  readonly end: () => void;
  readonly abandon: () => void;
};

/**
 * For bodies that are packed though nobody asked for it, as some proxies before providers send them; undefined where a body is as it is
 * or packed in a way that is not known. What is unpacked goes on at once, so that streams stay streams.
 */
export function unpackingOf(headers: AnswerHeaders, sink: AnswerSink): Unpacking | undefined {
  const coding = String(headers["content-encoding"] ?? "").toLowerCase();
  if (!isKnown(coding)) return undefined;
  const unpacker = UNPACKERS[coding]();
  unpacker.on("data", sink.data).on("end", sink.end).on("error", sink.fail);
  return {
    data: (chunk) => void unpacker.write(chunk),
    end: () => void unpacker.end(),
    abandon: () => {
      // What comes after the last word to the sink is nobody's business.
      unpacker.removeAllListeners().on("error", () => undefined);
      unpacker.destroy();
    },
  };
}
