/** A chat client in the sidebar. `{key}` and `{address}` in the URL are filled in for the user. */
export type ChatRow = { readonly name: string; readonly url: string };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The rows of the option Chats, an array of objects with one name and one URL each; undefined for any other value. */
export function chatRows(source: string): ChatRow[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(source);
  } catch {
    return undefined;
  }
  if (!Array.isArray(parsed)) return undefined;
  const rows = parsed.map((entry: unknown) => {
    const [pair, ...more] = isRecord(entry) ? Object.entries(entry) : [];
    return pair && more.length === 0 && typeof pair[1] === "string" ? { name: pair[0], url: pair[1] } : undefined;
  });
  return rows.every((row) => row !== undefined) ? rows : undefined;
}

/** The option's value from the rows. */
export const chatOption = (rows: readonly ChatRow[]): string =>
  JSON.stringify(
    rows.map(({ name, url }) => ({ [name]: url })),
    undefined,
    2,
  );
