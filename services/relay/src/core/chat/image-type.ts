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
