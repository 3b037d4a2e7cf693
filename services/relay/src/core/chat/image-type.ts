const MAGIC: readonly (readonly [start: string, mediaType: string])[] = [
  ["\u0089PNG", "image/png"],
  ["\u00ff\u00d8\u00ff", "image/jpeg"],
  ["GIF8", "image/gif"],
  ["RIFF", "image/webp"],
];

/** The media type given by an image's first bytes; undefined for anything but the four types that models read. */
export function detectImageType(bytes: Buffer): string | undefined {
  const start = bytes.toString("latin1", 0, 4);
  return MAGIC.find(([magic]) => start.startsWith(magic))?.[1];
}

/** Characters of base64 that hold the first bytes. */
const START = 16;

/** The media type of an image in base64; PNG if its first bytes match none, as OpenAI's image generation writes by default. */
export const getImageType = (base64: string): string =>
  detectImageType(Buffer.from(base64.slice(0, START), "base64")) ?? "image/png";
