import { OptionList } from "@turnpike/contract/api/option";
import { PriceBook, PriceChangesResult } from "@turnpike/contract/api/prices/price-revisions";
import { PriceHistoryPage } from "@turnpike/contract/api/prices/price-history";
import { RehearsalStep } from "@turnpike/contract/api/prices/rehearsal";
import { PRICE_OPTIONS } from "@turnpike/contract/options/price-options";
import { AppError } from "@turnpike/shared/errors/app-error";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startGatewayWorld } from "./gateway-world.ts";

let world: Awaited<ReturnType<typeof startGatewayWorld>>;
beforeAll(async () => {
  world = await startGatewayWorld({ options: { ModelRatio: '{"gpt-4o":2}' } });
  world.fakes.priceBook.changePrices = async () => ({ revision: 5 });
});
afterAll(() => world.stop());

describe("prices", () => {
  it("returns one price book with its revision to administrators", async () => {
    const { data } = (await world.call("GET", "/api/option/prices", { as: "admin" })).body;
    const book = PriceBook.parse(data);
    expect(book.revision).toBe(4);
    expect(book.options).toContainEqual({ key: "ModelRatio", value: '{"gpt-4o":2}' });
    expect(book.options.map(({ key }) => key)).toEqual(Object.keys(PRICE_OPTIONS));
  });

  it("changes several prices in one request", async () => {
    const changes = [
      { key: "ModelRatio", remove: ["gpt-4o"] },
      { key: "ModelPrice", set: { "gpt-4o": 0.01 } },
      { key: "ResponseCacheRatio", value: 0.5 },
      { key: "CacheRatio", reset: true },
    ];
    const response = await world.call("PUT", "/api/option/prices", { as: "admin", body: { changes, revision: 4 } });
    expect(PriceChangesResult.parse(response.body.data)).toEqual({ revision: 5 });
    expect(world.lastRequest("changePrices")).toEqual({
      changes: [
        { key: "ModelRatio", value: undefined, reset: false, set: {}, remove: ["gpt-4o"] },
        { key: "ModelPrice", value: undefined, reset: false, set: { "gpt-4o": "0.01" }, remove: [] },
        { key: "ResponseCacheRatio", value: "0.5", reset: false, set: {}, remove: [] },
        { key: "CacheRatio", value: undefined, reset: true, set: {}, remove: [] },
      ],
      expectedRevision: 4,
    });
    expect(world.last("changePrices")?.actor).toMatchObject({ username: "admin" });
  });

  it("rehearses proposed prices step by step", async () => {
    const costs = { costedCalls: 1, cost: 4, costedCurrentQuota: 10, costedProposedQuota: 15 };
    const sum = { calls: 2, quota: 20, currentQuota: 20, proposedQuota: 30, ...costs };
    world.fakes.priceBook.rehearsePrices = async () => ({
      revision: 4,
      rows: 3,
      models: [{ model: "gpt-4o", group: "vip", sum }],
      users: [{ userId: 7, username: "ada", sum }],
      skipped: [{ model: "old", reason: "no_price", calls: 1, quota: 5 }],
      next: { createdAt: 100, id: 9 },
    });
    const span = { start_timestamp: 50, end_timestamp: 200, revision: 4 };
    const changes = [{ key: "ModelRatio", set: { "gpt-4o": 3 } }];
    const body = { changes, ...span, after: { created_at: 150, id: 12 } };
    const response = await world.call("POST", "/api/option/rehearsal", { as: "admin", body });
    const costed = { costed_calls: 1, cost: 4, costed_current_quota: 10, costed_proposed_quota: 15 };
    const figures = { calls: 2, quota: 20, current_quota: 20, proposed_quota: 30, ...costed };
    expect(RehearsalStep.parse(response.body.data)).toEqual({
      revision: 4,
      rows: 3,
      models: [{ model: "gpt-4o", group: "vip", ...figures }],
      users: [{ user_id: 7, username: "ada", ...figures }],
      skipped: [{ model: "old", reason: "no_price", calls: 1, quota: 5 }],
      next: { created_at: 100, id: 9 },
    });
    expect(world.lastRequest("rehearsePrices")).toEqual({
      changes: [{ key: "ModelRatio", value: undefined, reset: false, set: { "gpt-4o": "3" }, remove: [] }],
      expectedRevision: 4,
      startSeconds: 50,
      endSeconds: 200,
      after: { createdAt: 150, id: 12 },
    });
  });

  it("reports a conflict in the caller's language", async () => {
    world.fakes.priceBook.changePrices = async () => {
      throw new AppError("prices_changed", "another revision is in force");
    };
    const body = { changes: [{ key: "ModelRatio", set: { a: 1 } }], revision: 3 };
    const response = await world.call("PUT", "/api/option/prices", {
      as: "admin",
      body,
      headers: { "accept-language": "en" },
    });
    expect([response.status, response.body.success, response.body.code]).toEqual([200, false, "prices_changed"]);
    expect(response.body.message).toContain("changed since they were read");
    world.fakes.priceBook.changePrices = async () => ({ revision: 5 });
  });

  it("lists prices as options with billing's values and writes them by key, while auth owns the other options", async () => {
    world.fakes.auth.listOptions = async () => ({
      options: [
        { key: "SystemName", value: "Mine" },
        { key: "ModelRatio", value: "{}" },
      ],
    });
    const listed = OptionList.parse((await world.call("GET", "/api/option/", { as: "admin" })).body.data);
    expect(listed).toEqual([
      { key: "SystemName", value: "Mine" },
      { key: "ModelRatio", value: '{"gpt-4o":2}' },
    ]);
    await world.call("PUT", "/api/option/", { as: "admin", body: { key: "ModelPrice", value: '{"a":1}' } });
    expect(world.lastRequest("changePrices")).toEqual({
      changes: [{ key: "ModelPrice", value: '{"a":1}', reset: false, set: {}, remove: [] }],
      expectedRevision: undefined,
    });
    expect(world.last("setOption")).toBeUndefined();
    world.fakes.auth.setOptions = async () => ({ revision: 2 });
    const options = [
      { key: "ModelRatio", value: "{}" },
      { key: "SystemName", value: "Ours" },
      { key: "ModelPrice", value: '{"a":1}' },
    ];
    await world.call("PUT", "/api/option/batch", { as: "admin", body: { options } });
    expect(world.lastRequest("setOptions")).toEqual({ options: [{ key: "SystemName", value: "Ours" }] });
    expect(world.lastRequest("changePrices")).toMatchObject({
      changes: [{ key: "ModelRatio" }, { key: "ModelPrice" }],
    });
    await world.call("POST", "/api/option/rest_model_ratio", { as: "admin" });
    expect(world.lastRequest("changePrices")).toMatchObject({ changes: [{ key: "ModelRatio", reset: true }] });
  });

  it("returns the history as a page of changes", async () => {
    const change = { id: 1, createdAtSeconds: 5, actorId: 2, actorName: "admin", key: "ModelRatio", name: "gpt-4o" };
    world.fakes.priceBook.listPriceChanges = async () => ({
      items: [{ ...change, before: "1.25", after: "2", isBuiltInBefore: true, isBuiltInAfter: false }],
      total: 1,
    });
    const response = await world.call("GET", "/api/option/price_history/?name=gpt&p=2&start_timestamp=3", {
      as: "admin",
    });
    expect(PriceHistoryPage.parse(response.body.data)).toMatchObject({
      page: 2,
      items: [{ before: "1.25", after: "2", before_built_in: true, after_built_in: false }],
    });
    expect(world.last("listPriceChanges")?.request).toMatchObject({ name: "gpt", page: 2, startSeconds: 3 });
    expect((await world.call("GET", "/api/option/price_history", { as: "ada" })).status).toBe(403);
  });
});
