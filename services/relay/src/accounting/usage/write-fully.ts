import { ftruncateSync, writeSync } from "node:fs";

/** A write failed, and its first bytes stay in the file: whatever follows needs a line break first. */
export class TornWrite extends Error {
  override readonly name = "TornWrite";
}

/**
 * Appends a text to an open file of `size` bytes as a whole or not at all: a disk that becomes full takes the first part of a
 * write, which is cut off again. Returns the bytes written. Throws the disk's error, or TornWrite if the part could not be cut off.
 */
export function writeFully(descriptor: number, size: number, text: string): number {
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) {
      const count = writeSync(descriptor, bytes, written);
      if (count === 0) throw new Error("the disk takes no more bytes");
      written += count;
    }
    return written;
  } catch (error) {
    if (written === 0) throw error;
    try {
      ftruncateSync(descriptor, size);
    } catch (cause) {
      throw new TornWrite("a write was cut short and could not be undone", { cause });
    }
    throw error;
  }
}
