import { maxHeaderSize } from "node:http";
import { ProtocolError } from "./protocol-error.ts";

const LF = 10;
const CR = 13;
const SEMICOLON = 59;
const SPACE = 32;
const TAB = 9;
/** More digits would exceed the integers that a number holds exactly. */
const SIZE_DIGITS_MAX = 12;
const NOTHING = Buffer.alloc(0);

type State = "size" | "extension" | "size-end" | "data" | "data-cr" | "data-end" | "trailer" | "trailer-end" | "done";

/** One copy of several ranges (start and end, in turns) with a total of `size` bytes. */
export function copyRanges(bytes: Buffer, ranges: readonly number[], size: number): Buffer {
  if (size === 0) return NOTHING;
  const copy = Buffer.allocUnsafe(size);
  let at = 0;
  for (let index = 0; index < ranges.length; index += 2) {
    const end = ranges[index + 1] ?? 0;
    bytes.copy(copy, at, ranges[index], end);
    at += end - (ranges[index] ?? 0);
  }
  return copy;
}

/** The value of a hexadecimal digit; -1 for another byte. */
function hexValue(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/** Decodes the chunked transfer coding (RFC 9112, section 7.1), at any boundary; extensions and trailers are skipped. */
export class ChunkDecoder {
  #state: State = "size";
  /** The size read so far, then the bytes missing of the chunk's data. */
  #size = 0;
  #digits = 0;
  #readBytes = 0;
  /** Bytes of the present extension or of all trailers, which are bounded. */
  #skipped = 0;
  /** Bytes of the present trailer line. */
  #lineBytes = 0;

  isComplete(): boolean {
    return this.#state === "done";
  }

  /** How many bytes the last `decode` has read. */
  readBytes(): number {
    return this.#readBytes;
  }

  /**
   * The data of the next chunks in these bytes, copied: of one chunk, or of all. Throws ProtocolError for bytes that
   * break the coding.
   */
  decode(bytes: Buffer, how: "one" | "all"): Buffer {
    const ranges: number[] = [];
    let total = 0;
    let at = 0;
    while (at < bytes.length && (how === "all" || total === 0)) {
      if (this.#state !== "data") {
        this.#readFraming(bytes[at++] ?? 0);
        continue;
      }
      const size = Math.min(this.#size, bytes.length - at);
      ranges.push(at, at + size);
      total += size;
      at += size;
      this.#size -= size;
      if (this.#size === 0) this.#state = "data-cr";
    }
    this.#readBytes = at;
    return copyRanges(bytes, ranges, total);
  }

  #readFraming(byte: number): void {
    switch (this.#state) {
      case "size":
        return this.#readSize(byte);
      case "extension":
        this.#skip();
        if (byte === CR) this.#state = "size-end";
        else if (byte === LF) throw new ProtocolError("a bare line feed in a chunk's extension");
        return;
      case "size-end":
        this.#expect(byte, LF);
        return this.#endSize();
      case "data-cr":
        this.#expect(byte, CR);
        this.#state = "data-end";
        return;
      case "data-end":
        this.#expect(byte, LF);
        this.#state = "size";
        return;
      case "trailer":
        this.#skip();
        if (byte === CR) this.#state = "trailer-end";
        else this.#lineBytes++;
        return;
      case "trailer-end":
        this.#expect(byte, LF);
        this.#state = this.#lineBytes === 0 ? "done" : "trailer";
        this.#lineBytes = 0;
        return;
      default:
        throw new ProtocolError("bytes after its last chunk");
    }
  }

  #readSize(byte: number): void {
    const value = hexValue(byte);
    if (value >= 0) {
      if (++this.#digits > SIZE_DIGITS_MAX) throw new ProtocolError("a chunk's size is too large");
      this.#size = this.#size * 16 + value;
      return;
    }
    if (this.#digits === 0) throw new ProtocolError("a chunk without a size");
    this.#skipped = 0;
    if (byte === CR) this.#state = "size-end";
    else if (byte === SEMICOLON || byte === SPACE || byte === TAB) this.#state = "extension";
    else throw new ProtocolError("a chunk's size is not hexadecimal");
  }

  #endSize(): void {
    this.#digits = 0;
    this.#skipped = 0;
    this.#lineBytes = 0;
    this.#state = this.#size === 0 ? "trailer" : "data";
  }

  #skip(): void {
    if (++this.#skipped > maxHeaderSize) throw new ProtocolError("its extensions or trailers are too large");
  }

  #expect(byte: number, expected: number): void {
    if (byte !== expected) throw new ProtocolError("a chunk's line does not end where it should");
  }
}
