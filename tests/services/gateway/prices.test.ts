import { OptionList } from "@turnpike/contract/api/option";
import { PriceBook, PriceChangesResult } from "@turnpike/contract/api/price-book";
import { PriceChangePage } from "@turnpike/contract/api/price-history";
import { PRICE_OPTIONS } from "@turnpike/contract/pricing/price-options";
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
    const answer = await world.call("PUT", "/api/option/prices", { as: "admin", body: { changes, revision: 4 } });
    expect(PriceChangesResult.parse(answer.body.data)).toEqual({ revision: 5 });
    expect(world.asked("changePrices")).toEqual({
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

  it("reports a conflict in the caller's language", async () => {
    world.fakes.priceBook.changePrices = async () => {
      throw new AppError("prices_changed", "another revision is in force");
    };
    const body = { changes: [{ key: "ModelRatio", set: { a: 1 } }], revision: 3 };
    const answer = await world.call("PUT", "/api/option/prices", {
      as: "admin",
      body,
      headers: { "accept-language": "en" },
    });
    expect([answer.status, answer.body.success, answer.body.code]).toEqual([200, false, "prices_changed"]);
    expect(answer.body.message).toContain("changed since they were read");
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
    expect(world.asked("changePrices")).toEqual({
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
    expect(world.asked("setOptions")).toEqual({ options: [{ key: "SystemName", value: "Ours" }] });
    expect(world.asked("changePrices")).toMatchObject({ changes: [{ key: "ModelRatio" }, { key: "ModelPrice" }] });
    await world.call("POST", "/api/option/rest_model_ratio", { as: "admin" });
    expect(world.asked("changePrices")).toMatchObject({ changes: [{ key: "ModelRatio", reset: true }] });
  });

  it("returns the history as a page of changes", async () => {
    const change = { id: 1, createdAtSeconds: 5, actorId: 2, actorName: "admin", key: "ModelRatio", name: "gpt-4o" };
    world.fakes.priceBook.listPriceChanges = async () => ({
      items: [{ ...change, before: undefined, after: "2" }],
      total: 1,
    });
    const answer = await world.call("GET", "/api/option/price_history/?name=gpt&p=2&start_timestamp=3", {
      as: "admin",
    });
    expect(PriceChangePage.parse(answer.body.data)).toMatchObject({ page: 2, items: [{ before: null, after: "2" }] });
    expect(world.last("listPriceChanges")?.request).toMatchObject({ name: "gpt", page: 2, startSeconds: 3 });
    expect((await world.call("GET", "/api/option/price_history", { as: "ada" })).status).toBe(403);
  });
});
