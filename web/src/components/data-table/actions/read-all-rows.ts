import type { Page } from "@turnpike/contract/api/common";

/** A column of a file: its heading in the user's language, and its value. */
export type ExportColumn<Row> = { readonly label: string; readonly value: (row: Row) => string | number };

/** Lists are read from their newest end, and not further than the server pages. */
export const EXPORT_ROWS_MAX = 100_000;

type Options = { readonly signal: AbortSignal; readonly onProgress: (share: number) => void };

/** Reads a list page by page, from 1, until its end or until it is aborted. */
export async function readAllRows<Row>(
  read: (page: number) => Promise<Page<Row>>,
  { signal, onProgress }: Options,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let page = 1; !signal.aborted && rows.length < EXPORT_ROWS_MAX; page++) {
    // One after the other: the site limits the calls of an address.
    // oxlint-disable-next-line no-await-in-loop
    const { items, total } = await read(page);
    rows.push(...items);
    onProgress(Math.min(1, rows.length / Math.max(1, total)));
    if (items.length === 0 || rows.length >= total) break;
  }
  return rows;
}
