/** The page that a text stands for when it is an https address and nothing else; undefined for texts to be read. */
export function getFrameAddress(source: string): string | undefined {
  const text = source.trim();
  return /^https:\/\/\S+$/i.test(text) && URL.canParse(text) ? text : undefined;
}
