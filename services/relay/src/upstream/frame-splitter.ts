import { isAscii } from "node:buffer";
import type { Frame, FrameSplitter, StreamEvent, StreamReader } from "../core/wire/stream.ts";

export type { Frame } from "../core/wire/stream.ts";

const LF = 10;
const CR = 13;
const FRAME_BYTES_MAX = 16 * 1024 * 1024;
const NOTHING = Buffer.alloc(0);

/** End of the first frame at or after `from`: after an empty line; -1 if none is complete. */
function frameEnd(text: string, from: number): number {
  for (let at = text.indexOf("\n", from); at >= 0; at = text.indexOf("\n", at + 1)) {
    const next = text.charCodeAt(at + 1);
    if (next === LF) return at + 2;
    if (next === CR && text.charCodeAt(at + 2) === LF) return at + 3;
  }
  return -1;
}

const DATA = "data: ";
const NAME = "event: ";
const NAMED_DATA = `\n${DATA}`;

/** A frame of exactly an event's name and one data line, ended by line feeds. */
function parseNamed(text: string): StreamEvent | undefined {
  if (!text.startsWith(NAME) || !text.endsWith("\n\n")) return undefined;
  const nameEnd = text.indexOf("\n");
  const from = nameEnd + NAMED_DATA.length;
  const dataEnd = text.length - 2;
  if (!text.startsWith(NAMED_DATA, nameEnd) || text.indexOf("\n", from) !== dataEnd) return undefined;
  if (text.charCodeAt(nameEnd - 1) === CR || text.charCodeAt(dataEnd - 1) === CR) return undefined;
  return { event: text.slice(NAME.length, nameEnd), data: text.slice(from, dataEnd) };
}

/**
 * Parses the fields of a frame (WHATWG server-sent events, section 9.2.6); several data lines are joined by line feeds.
 */
export function parseFrame(text: string): StreamEvent | undefined {
  // Nearly every frame of nearly every provider is one data line, after a line with its event's name for some.
  const named = parseNamed(text);
  if (named) return named;
  const lineEnd = text.indexOf("\n");
  if (lineEnd > 0 && text.length - lineEnd <= 3 && text.startsWith("data: ")) {
    return { event: undefined, data: text.slice(6, text.charCodeAt(lineEnd - 1) === CR ? lineEnd - 1 : lineEnd) };
  }
  let event: string | undefined;
  let data: string | undefined;
  // A byte order mark may precede the first frame.
  for (const line of text.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const value = line.charCodeAt(colon + 1) === 32 ? line.slice(colon + 2) : line.slice(colon + 1);
    const name = line.slice(0, colon);
    if (name === "data") data = data === undefined ? value : `${data}\n${value}`;
    else if (name === "event") event = value;
  }
  if (data !== undefined) return { event, data };
  // Google, for example, reports a failure within a stream by the plain document that it returns for failed calls.
  const bare = text.trim();
  return /^[[{]/.test(bare) ? { event, data: bare } : undefined;
}

const FIELD = /^(?::|(?:event|id|retry)(?::|$))/;

/** Comments and fields without data, which a reader ignores. */
export const isSilent = (raw: Buffer): boolean =>
  raw
    .toString("latin1")
    .split(/\r?\n/)
    .every((line) => line === "" || FIELD.test(line));

/**
 * The text of a chunk that is one frame of one data line and perhaps a name, as nearly every chunk is; undefined for others and where the
 * data cannot be skimmed. Several frames are left to the parser: the second may depend on the first.
 */
function skimFrame(chunk: Buffer, skim: NonNullable<StreamReader["skim"]>): string | undefined {
  const { length } = chunk;
  if (length < 2 || chunk[length - 1] !== LF || chunk[length - 2] !== LF) return undefined;
  const text = chunk.toString();
  const end = text.indexOf("\n");
  if (end === text.length - 2 && text.startsWith(DATA))
    return skim({ event: undefined, data: text.slice(DATA.length, end) });
  const named = parseNamed(text);
  return named && skim(named);
}

/**
 * Splits a byte stream into frames as they complete, at any chunk boundary; keeps the bytes, so that a frame can be
 * passed through unchanged. Implemented here because parsers on npm return only text.
 */
export function createFrameSplitter(): FrameSplitter {
  let rest: Buffer = NOTHING;
  let scanned = 0;
  /**
   * Bytes after `rest` without any line end, kept in chunks: otherwise frames of megabytes would be copied with each
   * chunk.
   */
  let later: Buffer[] = [];
  let laterBytes = 0;
  const join = (chunk: Buffer): Buffer => {
    if (rest.length === 0 && laterBytes === 0) return chunk;
    const bytes = Buffer.concat([rest, ...later, chunk]);
    later = [];
    laterBytes = 0;
    return bytes;
  };
  return {
    skimChunk: (chunk, skim) => (rest.length === 0 && laterBytes === 0 ? skimFrame(chunk, skim) : undefined),
    /** Frames completed by this chunk. Throws if a frame exceeds 16 MiB. */
    *push(chunk: Buffer, skim?: StreamReader["skim"]): Generator<Frame> {
      if (rest.length > 0 && !chunk.includes(LF)) {
        later.push(chunk);
        laterBytes += chunk.length;
        if (rest.length + laterBytes > FRAME_BYTES_MAX) throw new Error("a frame of the stream is too large");
        return;
      }
      const bytes = join(chunk);
      // The empty line may have begun in the last two bytes of the previous chunk.
      const seen = Math.max(scanned - 2, 0);
      // One character per byte, so that offsets in the text are offsets in the bytes.
      const fresh = bytes.toString("latin1", seen);
      let from = 0;
      let end = frameEnd(fresh, 0);
      if (end >= 0) {
        const isPlain = isAscii(bytes);
        let runFrom = 0;
        let skimmed = "";
        for (; end >= 0; end = frameEnd(fresh, from - seen)) {
          const to = seen + end;
          const event = parseFrame(
            isPlain && from >= seen ? fresh.slice(from - seen, end) : bytes.toString("utf8", from, to),
          );
          const text = event && skim?.(event);
          if (text !== undefined) skimmed += text;
          else {
            if (runFrom < from) yield { raw: bytes.subarray(runFrom, from), event: undefined, skimmed };
            yield { raw: bytes.subarray(from, to), event };
            runFrom = to;
            skimmed = "";
          }
          from = to;
        }
        if (runFrom < from) yield { raw: bytes.subarray(runFrom, from), event: undefined, skimmed };
      }
      rest = from === bytes.length ? NOTHING : bytes.subarray(from);
      scanned = rest.length;
      if (rest.length > FRAME_BYTES_MAX) throw new Error("a frame of the stream is too large");
    },
    /** A last frame closed by the stream's end instead of an empty line; undefined if nothing readable is left. */
    end(): Frame | undefined {
      const raw = join(NOTHING);
      const event = parseFrame(raw.toString("utf8"));
      return event && { raw, event };
    },
  };
}

/** A splitter that maps each frame, for formats that differ from the standard only in their frames. */
export function createMappedSplitter(change: (frame: Frame) => Frame): FrameSplitter {
  const splitter = createFrameSplitter();
  return {
    push: (chunk) => Array.from(splitter.push(chunk), change),
    end: () => {
      const last = splitter.end();
      return last && change(last);
    },
  };
}
