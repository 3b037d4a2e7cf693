import { expect, it } from "vitest";
import { readPartedPage } from "./query.ts";

it("has the exact matches first, and each row once whatever the page size", async () => {
  const rest = [9, 8, 7, 6, 5];
  const list = {
    exact: async () => [1, 2],
    rest: async ({ skip, limit }: { skip: number; limit: number }) => rest.slice(skip, skip + limit),
    count: async () => 7,
  };
  for (const limit of [1, 2, 3, 10]) {
    const pages: number[] = [];
    // oxlint-disable-next-line no-await-in-loop -- one page after the other
    for (let skip = 0; skip < 7; skip += limit) pages.push(...(await readPartedPage(list, { skip, limit })).items);
    expect(pages).toEqual([1, 2, ...rest]);
  }
});
