import { expect, it } from "vitest";
import { readAllRows } from "./read-all-rows.ts";

const rows = [1, 2, 3, 4, 5];
const read = async (page: number) => ({
  items: rows.slice((page - 1) * 2, page * 2),
  total: rows.length,
  page,
  page_size: 2,
});

it("reads every page and reports the share that is read", async () => {
  const shares: number[] = [];
  const found = await readAllRows(read, {
    signal: new AbortController().signal,
    onProgress: (share) => shares.push(share),
  });
  expect(found).toEqual(rows);
  expect(shares).toEqual([0.4, 0.8, 1]);
});

it("stops where it is aborted, and at a list that became shorter", async () => {
  const run = new AbortController();
  expect(await readAllRows(read, { signal: run.signal, onProgress: () => run.abort() })).toEqual([1, 2]);
  const shrunk = async (page: number) => (page === 1 ? read(1) : { ...(await read(9)), total: 5 });
  expect(await readAllRows(shrunk, { signal: new AbortController().signal, onProgress: () => undefined })).toEqual([
    1, 2,
  ]);
});
