/** How much of a stream's text is buffered to locate the citations, which arrive at its end. */
const KEPT_CHARACTERS_MAX = 32_768;

/** The text of a stream up to a limit. */
export function createBoundedText() {
  const pieces: string[] = [];
  let length = 0;
  return {
    add(text: string): void {
      if (length < KEPT_CHARACTERS_MAX) pieces.push(text);
      length += text.length;
    },
    text: (): string => pieces.join(""),
  };
}
