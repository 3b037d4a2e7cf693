export type ImageSize = { readonly width: number; readonly height: number };

/** How many bytes of an image are inspected: the size is in its header, after camera metadata. */
const HEAD_BYTES = 64 * 1024;

const marked = (bytes: Buffer, at: number, mark: string): boolean =>
  bytes.toString("latin1", at, at + mark.length) === mark;

function png(bytes: Buffer): ImageSize | undefined {
  if (!marked(bytes, 1, "PNG")) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function gif(bytes: Buffer): ImageSize | undefined {
  if (!marked(bytes, 0, "GIF8")) return undefined;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

function webp(bytes: Buffer): ImageSize | undefined {
  if (!marked(bytes, 0, "RIFF") || !marked(bytes, 8, "WEBP")) return undefined;
  if (marked(bytes, 12, "VP8X")) return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (marked(bytes, 12, "VP8L")) {
    const packed = bytes.readUInt32LE(21);
    return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
  }
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
}

/** JPEG markers that start a frame and contain its size; C4, C8 and CC are tables. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function jpeg(bytes: Buffer): ImageSize | undefined {
  if (bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes.readUInt8(at + 1);
    if (isFrame(marker)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

const READERS = [png, jpeg, webp, gif];

/** Width and height of a base64 image from its header; undefined if the header does not contain them. */
export function imageSize(base64: string): ImageSize | undefined {
  const bytes = Buffer.from(base64.slice(0, Math.ceil((HEAD_BYTES * 4) / 3)), "base64");
  for (const read of READERS) {
    try {
      const size = read(bytes);
      if (size && size.width > 0 && size.height > 0) return size;
    } catch (error) {
      // The image ends inside its header.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return undefined;
}
