/** Reads one search parameter of an address; invalid values read as absent. */
type Reader<T> = (value: unknown) => T | undefined;
type Readers = Readonly<Record<string, Reader<unknown>>>;
type SearchOf<Fields extends Readers> = { -readonly [Key in keyof Fields]?: ReturnType<Fields[Key]> };

const TEXT_LENGTH_MAX = 200;

/** An integer within limits. */
export const wholeSearch =
  (min: number, max = Number.MAX_SAFE_INTEGER): Reader<number> =>
  (value) =>
    typeof value === "number" && Number.isInteger(value) && value >= min && value <= max ? value : undefined;

/** A text filter; numbers in the address are text too. */
export const textSearch: Reader<string> = (value) => {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text.length <= TEXT_LENGTH_MAX ? text : undefined;
};

/** A text of any length; a number is text too. */
export const anyTextSearch: Reader<string> = (value) => {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" ? text : undefined;
};

/** All search parameters as text, for pages that pass on another site's parameters. */
export const toTextSearch = (search: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(search).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );

/** A day, as "2026-05-31". */
export const daySearch: Reader<string> = (value) =>
  typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : undefined;

/** A month, as "2026-05". */
export const monthSearch: Reader<string> = (value) =>
  typeof value === "string" && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(value) ? value : undefined;

export const flagSearch: Reader<boolean> = (value) => (typeof value === "boolean" ? value : undefined);

/** One of a few values. */
export const choiceSearch =
  <const T>(...choices: readonly T[]): Reader<T> =>
  (value) =>
    choices.find((choice) => choice === value);

/** Reads the search parameters that a page knows and drops all others. Never fails. */
export const createSearchParser =
  <Fields extends Readers>(fields: Fields) =>
  (search: Readonly<Record<string, unknown>>): SearchOf<Fields> => {
    const found: Record<string, unknown> = {};
    for (const [name, read] of Object.entries(fields)) {
      const value = read(search[name]);
      if (value !== undefined) found[name] = value;
    }
    return found as SearchOf<Fields>;
  };
