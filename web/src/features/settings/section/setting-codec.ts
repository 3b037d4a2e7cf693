/** How a stored text is shown in a field, and how the field's text is stored. */
export type SettingCodec = {
  readonly show: (stored: string) => string;
  readonly store: (shown: string) => string;
};

const lines = (shown: string): string[] => [
  ...new Set(
    shown
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  ),
];

/** One entry per line, stored with commas. */
export const commaList: SettingCodec = {
  show: (stored) => lines(stored.replaceAll(",", "\n")).join("\n"),
  store: (shown) => lines(shown.replaceAll(/[,\uff0c]/g, "\n")).join(","),
};

/** One entry per line, stored the same way. */
export const lineList: SettingCodec = {
  show: (stored) => stored,
  store: (shown) => lines(shown).join("\n"),
};

/** One entry per line, stored as a JSON array. A value that is not an array of texts is shown unchanged. */
export const jsonList: SettingCodec = {
  show: (stored) => {
    const parsed = parse(stored);
    return Array.isArray(parsed) && parsed.every((entry) => typeof entry === "string") ? parsed.join("\n") : stored;
  },
  store: (shown) => JSON.stringify(lines(shown)),
};

/** An address, stored without trailing slashes. */
export const address: SettingCodec = {
  show: (stored) => stored,
  store: (shown) => shown.trim().replace(/\/+$/, ""),
};

/** JSON, formatted for editing and stored in one line; invalid JSON stays unchanged, and its check names it. */
export const json: SettingCodec = {
  show: (stored) => {
    const parsed = parse(stored);
    return parsed === undefined ? stored : JSON.stringify(parsed, undefined, 2);
  },
  store: (shown) => {
    const parsed = parse(shown);
    return parsed === undefined ? shown : JSON.stringify(parsed);
  },
};

/** Any other text. */
export const trimmedText: SettingCodec = { show: (stored) => stored, store: (shown) => shown.trim() };

/** Text whose spaces and line ends are significant, such as a page's content. */
export const unchangedText: SettingCodec = { show: (stored) => stored, store: (shown) => shown };

function parse(source: string): unknown {
  try {
    return JSON.parse(source) as unknown;
  } catch {
    return undefined;
  }
}
