/** How a provider writes an event that contains only text, in the spelling of nearly all such events. */
type TextFormat = {
  /** What precedes the text, from the first fixed part on. */
  readonly opening: string;
  /** What follows the text, without its closing quote. */
  readonly closing: RegExp;
  /** Whether the part before the opening allows for an event of text. */
  readonly isHead: (head: string) => boolean;
};

/** Index of the quote that ends a JSON string whose text starts at `from`; -1 if there is none. */
function stringEnd(json: string, from: number): number {
  for (let end = json.indexOf('"', from); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === 92) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return -1;
}

/** Undefined for an invalid JSON string: parsing the whole event reports the error. */
function unescaped(written: string): string | undefined {
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return undefined;
  }
}

/**
 * Extracts the text of events that contain only text; undefined for others. The parts before and after the text are the
 * same throughout most streams, so they are checked once.
 */
export function createTextSkimmer({ opening, closing, isHead }: TextFormat): (data: string) => string | undefined {
  let known = "";
  let knownClosing = "";
  return (data) => {
    if (known === "" || !data.startsWith(known)) {
      const at = data.indexOf(opening);
      if (at < 0) return undefined;
      const head = data.slice(0, at);
      if (!isHead(head)) return undefined;
      known = head + opening;
    }
    const from = known.length;
    const end = stringEnd(data, from);
    if (end < 0) return undefined;
    if (knownClosing === "" || data.length - end - 1 !== knownClosing.length || !data.endsWith(knownClosing)) {
      const rest = data.slice(end + 1);
      if (!closing.test(rest)) return undefined;
      knownClosing = rest;
    }
    const written = data.slice(from, end);
    return written.includes("\\") ? unescaped(written) : written;
  };
}
