/** How a stored text is shown in a field, and how what stands in the field is stored. */
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

/** One entry a line, stored with commas. */
export const commaList: SettingCodec = {
  show: (stored) => lines(stored.replaceAll(",", "\n")).join("\n"),
  store: (shown) => lines(shown.replaceAll(/[,\uff0c]/g, "\n")).join(","),
};

/** One entry a line, stored the same way. */
export const lineList: SettingCodec = {
  show: (stored) => stored,
  store: (shown) => lines(shown).join("\n"),
};

/** One entry a line, stored as a JSON array. What is no array of texts is shown as it is. */
export const jsonList: SettingCodec = {
  show: (stored) => {
    const parsed = parse(stored);
    return Array.isArray(parsed) && parsed.every((entry) => typeof entry === "string") ? parsed.join("\n") : stored;
  },
  store: (shown) => JSON.stringify(lines(shown)),
};

/** An address, stored without the slashes at its end. */
export const address: SettingCodec = {
  show: (stored) => stored,
  store: (shown) => shown.trim().replace(/\/+$/, ""),
};

/** JSON, laid out to read and stored in one line; broken JSON stays as it is, for its check to name. */
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

/** Text whose spaces and line ends count, such as a page's content. */
export const unchangedText: SettingCodec = { show: (stored) => stored, store: (shown) => shown };

function parse(source: string): unknown {
  try {
    return JSON.parse(source) as unknown;
  } catch {
    return undefined;
  }
}
