/** The https address that is the whole text; undefined for a text to display. */
export function getFrameAddress(source: string): string | undefined {
  const text = source.trim();
  return /^https:\/\/\S+$/i.test(text) && URL.canParse(text) ? text : undefined;
}
