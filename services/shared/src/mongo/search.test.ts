import { mongo } from "mongoose";
import { describe, expect, it } from "vitest";
import { readSearchPage, withSearchTimeout } from "./search.ts";

const failing = (code: number) => () => Promise.reject(new mongo.MongoServerError({ message: "no", code }));
const rows = (count: number) => () => Promise.resolve(Array.from({ length: count }, (_, index) => index));
const range = { skip: 20, limit: 10 };

describe("search", () => {
  it("returns an error that suggests a narrower search when a query exceeds its time limit", async () => {
    await expect(withSearchTimeout(failing(50))).rejects.toMatchObject({ code: "search_too_long" });
    const page = readSearchPage({ items: failing(50), count: () => Promise.resolve(3) }, range);
    await expect(page).rejects.toMatchObject({ code: "search_too_long" });
  });

  it("rethrows any other failure unchanged", async () => {
    await expect(withSearchTimeout(failing(11_600))).rejects.toMatchObject({ code: 11_600 });
    const page = readSearchPage({ items: rows(1), count: failing(11_600) }, range);
    await expect(page).rejects.toMatchObject({ code: 11_600 });
  });

  it.each([
    ["full", 10, 31],
    ["last", 4, 24],
  ])(
    "returns a %s page although counting exceeds the time limit, with the total known so far",
    async (_, count, total) => {
      expect(await readSearchPage({ items: rows(count), count: failing(50) }, range)).toMatchObject({ total });
    },
  );

  it("returns the exact total in time", async () => {
    const page = await readSearchPage({ items: rows(10), count: () => Promise.resolve(77) }, range);
    expect(page.total).toBe(77);
  });
});
