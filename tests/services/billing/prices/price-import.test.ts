import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importOptions } from "../../../../scripts/import/tables/import-options.ts";
import type { ImportContext } from "../../../../scripts/import/tables/import-context.ts";
import { createGroupUses } from "../../../../scripts/import/group-uses.ts";
import { createReport } from "../../../../scripts/import/report.ts";
import { type BillingWorld, admin, startBillingWorld } from "../billing-world.ts";

const MASTER_KEY = Buffer.alloc(32, 7).toString("base64");

describe("import of options into an install with a price book", () => {
  let world: BillingWorld;
  beforeAll(async () => {
    world = await startBillingWorld();
  });
  afterAll(() => world?.stop());

  /** Imports rows of the source's options table. */
  async function runImport(rows: readonly { readonly key: string; readonly value: string }[], isDryRun = false) {
    const report = createReport();
    const context: ImportContext = {
      connection: world.connection,
      collections: world.collections,
      imported: world.connection.collection("imported"),
      reader: {
        product: "new-api",
        readOptions: () => rows,
        readChannels: () => [],
        readUsers: () => [],
        readTokens: () => [],
      },
      label: "test",
      isDryRun,
      masterKey: MASTER_KEY,
      nowSeconds: 1_700_000_000,
      report,
      groups: createGroupUses(),
    };
    await importOptions(context);
    return report;
  }
  const book = async () => {
    const { revision, options } = await world.priceBook.getPriceBook({});
    return { revision, values: new Map(options.map(({ key, value }) => [key, value])) };
  };

  it("adds the prices to the book as one revision, and keeps prices that the source does not have", async () => {
    const changes = [{ key: "GroupRatio", value: '{"default":1,"gold":0.5}', reset: false, set: {}, remove: [] }];
    await world.priceBook.changePrices({ changes, expectedRevision: undefined }, admin);
    const before = await book();
    const report = await runImport([
      { key: "ModelRatio", value: '{"imported-model":2.5}' },
      { key: "ModelPrice", value: '{"imported-call":0.04}' },
      { key: "SystemName", value: "Old site" },
    ]);
    const after = await book();
    expect(after.revision).toBe(before.revision + 1);
    expect(JSON.parse(after.values.get("ModelRatio") ?? "")).toMatchObject({ "imported-model": 2.5 });
    expect(JSON.parse(after.values.get("ModelPrice") ?? "")).toMatchObject({ "imported-call": 0.04 });
    expect(after.values.get("GroupRatio")).toBe(before.values.get("GroupRatio"));
    expect(report.isEqual()).toBe(true);
  });

  it("leaves the book at its revision when it is repeated, and in a dry run", async () => {
    const { revision } = await book();
    await runImport([{ key: "ModelRatio", value: '{"imported-model":2.5}' }]);
    expect((await book()).revision).toBe(revision);
    await runImport([{ key: "ModelRatio", value: '{"other-model":1}' }], true);
    expect((await book()).revision).toBe(revision);
  });

  it("leaves out a price that is not valid, and imports the others", async () => {
    const report = await runImport([
      { key: "CompletionRatio", value: '{"imported-model":-1}' },
      { key: "CacheRatio", value: '{"imported-model":0.25}' },
    ]);
    const { values } = await book();
    expect(values.get("CompletionRatio")).not.toContain("imported-model");
    expect(JSON.parse(values.get("CacheRatio") ?? "")).toMatchObject({ "imported-model": 0.25 });
    expect(report.lines(true).join("\n")).toContain("option CompletionRatio is left out");
  });
});
