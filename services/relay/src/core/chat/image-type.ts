const MAGIC: readonly (readonly [start: string, mediaType: string])[] = [
  ["\u0089PNG", "image/png"],
  ["\u00ff\u00d8\u00ff", "image/jpeg"],
  ["GIF8", "image/gif"],
  ["RIFF", "image/webp"],
];

/** What a picture's first bytes say it is; undefined for what is none of the four that models read. */
export function detectImageType(bytes: Buffer): string | undefined {
  const start = bytes.toString("latin1", 0, 4);
  return MAGIC.find(([magic]) => start.startsWith(magic))?.[1];
}
