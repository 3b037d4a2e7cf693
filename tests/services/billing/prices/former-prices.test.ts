import { readFileSync } from "node:fs";
import { pricesChanged } from "@turnpike/shared/events/billing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { PriceBookDoc } from "../../../../services/billing/src/store/price-book-document.ts";
import { admin, type BillingWorld, startBillingWorld } from "../billing-world.ts";

/** The tables that versions before the catalogue shipped. */
const SHIPPED = JSON.parse(
  readFileSync(new URL("../../../../services/billing/src/prices/former-defaults.json", import.meta.url), "utf8"),
) as Record<"ModelRatio" | "CompletionRatio" | "ModelPrice" | "CacheRatio", Record<string, number>>;

/** What an administrator of such a version made of them: whoever changed one price stored the whole table. */
const STORED = {
  ModelRatio: { ...SHIPPED.ModelRatio, "gpt-4o": 2, "house-model": 3, "bge-large-8k": 4 },
  CacheRatio: { ...SHIPPED.CacheRatio, "house-model": 0.5 },
  ModelPrice: SHIPPED.ModelPrice,
};
const ANY = { name: "", key: "", startSeconds: 0, endSeconds: 0, page: 1, pageSize: 100 };

describe("prices of an install from before the catalogue", () => {
  let world: BillingWorld;
  const getPrice = async (model: string) =>
    (await world.prices.listPrices({ models: [model], userGroup: "default" })).prices[0];
  const stored = async () => (await world.collections.priceBook.findOne({})) as PriceBookDoc;
  const refresh = () => world.options.start();

  beforeAll(async () => {
    world = await startBillingWorld();
    await world.collections.priceBook.replaceOne(
      { _id: "prices" },
      {
        revision: 7,
        values: Object.fromEntries(Object.entries(STORED).map(([key, table]) => [key, JSON.stringify(table)])),
        formerDigests: {},
        locks: 0,
      },
    );
    await refresh();
  });
  afterAll(() => world.stop());

  it("charges built-in prices for untouched rows at once, and the operator's numbers as before", async () => {
    // Shipped at half the price of its output, and at a quarter.
    const current = await getPrice("gpt-4.1");
    expect(current).toMatchObject({ modelRatio: 1, completionRatio: 4 });
    expect(await getPrice("o4-mini")).toMatchObject({ modelRatio: 0.55, completionRatio: 4 });
    expect(await getPrice("gpt-4o")).toMatchObject({ modelRatio: 2, completionRatio: 4, cacheRatio: 0.5 });
    expect(await getPrice("house-model")).toMatchObject({ modelRatio: 3, cacheRatio: 0.5 });
  });

  it("keeps the stored tables unchanged until no replica of the version before needs them", async () => {
    expect((await stored()).revision).toBe(7);
    expect(JSON.parse((await stored()).values.ModelRatio ?? "")).toEqual(STORED.ModelRatio);
  });

  it("stores the book without them once, with a revision, a history and a copy of what stood there", async () => {
    const notices: unknown[] = [];
    world.bus.listen(pricesChanged, (notice) => void notices.push(notice));
    await world.billing.priceBook.dropFormerDefaults();
    const book = await stored();
    expect(book.revision).toBe(8);
    const left = JSON.parse(book.values.ModelRatio ?? "") as Record<string, number>;
    expect(left).toMatchObject({ "gpt-4o": 2, "house-model": 3 });
    expect(Object.keys(left)).not.toContain("gpt-4.1");
    expect(JSON.parse(book.formerValues?.ModelRatio ?? "")).toEqual(STORED.ModelRatio);
    await vi.waitFor(() => expect(notices).toHaveLength(1));
    const { items } = await world.priceBook.listPriceChanges({ ...ANY, name: "gpt-4-turbo", key: "ModelRatio" }, admin);
    expect(items.find(({ name }) => name === "gpt-4-turbo")).toMatchObject({
      actorName: "migration",
      before: "5",
      after: "5",
      isBuiltInBefore: false,
      isBuiltInAfter: true,
    });
    await world.billing.priceBook.dropFormerDefaults();
    expect((await stored()).revision).toBe(8);
  });

  it("keeps a price for every model that had one", async () => {
    await refresh();
    const names = [...Object.keys(STORED.ModelRatio), ...Object.keys(STORED.ModelPrice)];
    const { prices } = await world.prices.listPrices({ models: names, userGroup: "default" });
    expect(prices.filter(({ isSet }) => !isSet).map(({ modelName }) => modelName)).toEqual([]);
  });

  it("keeps a former default that an administrator sets afterwards, and reports what was built in before", async () => {
    const set = { "gpt-4.1-mini": "7" };
    const changes = [{ key: "ModelRatio", value: undefined, reset: false, set, remove: [] }];
    await world.priceBook.changePrices({ changes, expectedRevision: undefined, isConfirmed: undefined }, admin);
    const { items } = await world.priceBook.listPriceChanges({ ...ANY, name: "gpt-4.1-mini" }, admin);
    expect(items[0]).toMatchObject({ before: "0.2", after: "7", isBuiltInBefore: true, isBuiltInAfter: false });
    const former = { key: "ModelRatio", value: undefined, reset: false, set: { "whisper-1": "15" }, remove: [] };
    await world.priceBook.changePrices(
      { changes: [former], expectedRevision: undefined, isConfirmed: undefined },
      admin,
    );
    expect(JSON.parse((await stored()).values.ModelRatio ?? "")).toMatchObject({ "whisper-1": 15 });
  });

  it("drops them with the first change by an administrator, too", async () => {
    await world.collections.priceBook.replaceOne(
      { _id: "prices" },
      { revision: 20, values: { ModelRatio: JSON.stringify(STORED.ModelRatio) }, formerDigests: {}, locks: 0 },
    );
    const changes = [{ key: "CacheRatio", value: undefined, reset: false, set: { "gpt-4o": "0.75" }, remove: [] }];
    const { revision } = await world.priceBook.changePrices(
      { changes, expectedRevision: 20, isConfirmed: undefined },
      admin,
    );
    expect(revision).toBe(21);
    const book = await stored();
    expect(Object.keys(JSON.parse(book.values.ModelRatio ?? "") as object)).not.toContain("gpt-4-turbo");
    expect(book.formerValues).toHaveProperty("ModelRatio");
  });
});

describe("price book with prices stored by an auth of an earlier version", () => {
  it("adopts them without the default rows", async () => {
    const world = await startBillingWorld({ options: { ModelRatio: JSON.stringify(STORED.ModelRatio) } });
    try {
      const book = (await world.collections.priceBook.findOne({})) as PriceBookDoc;
      const table = JSON.parse(book.values.ModelRatio ?? "") as Record<string, number>;
      expect(table).toMatchObject({ "gpt-4o": 2, "house-model": 3 });
      expect(Object.keys(table)).not.toContain("gpt-4-turbo");
      expect(JSON.parse(book.formerValues?.ModelRatio ?? "")).toEqual(STORED.ModelRatio);
    } finally {
      await world.stop();
    }
  });
});
