import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { admin, type ChannelWorld, code, startChannelWorld } from "./channel-world.ts";

const account = { id: 0, type: 1, baseUrl: "", key: "sk-new-1111\nsk-new-2222" };

describe("upstream calls through a relay", () => {
  let world: ChannelWorld;
  beforeAll(async () => {
    world = await startChannelWorld();
  });
  afterAll(() => world.stop());
  beforeEach(() => {
    world.relay.tests.length = 0;
    world.relay.fetches.length = 0;
    world.relay.models = ["a", "b", "a"];
    world.relay.outcome = {
      success: true,
      message: "",
      timeMs: 1_234,
      status: 200,
      errorCode: "",
      errorType: "",
      unfit: false,
    };
  });
  const test = (id: number, model = "") => world.client.testChannel({ id, model }, admin);

  it("tests a channel with its keys, and stores the latency without changing the routing table", async () => {
    const { id } = await world.create();
    const { revision } = await world.snapshot();
    expect(await test(id)).toEqual({ success: true, message: "", timeSeconds: 1.234 });
    expect(world.relay.tests).toMatchObject([
      { model: "gpt-4o", channel: { channel: { id }, keys: ["sk-main-1234"] } },
    ]);
    const after = await world.find(id);
    expect(after.responseTime).toBe(1_234);
    expect(after.testTime).toBeGreaterThan(1_700_000_000);
    expect((await world.snapshot()).revision).toBe(revision);
  });

  it("tests the requested model, else the channel's test model, else its first model", async () => {
    const { id } = await world.create({ testModel: "gpt-4o-mini" });
    await test(id, "o3");
    await test(id);
    await world.client.updateChannel({ id, input: { testModel: "" } }, admin);
    await test(id);
    expect(world.relay.tests.map(({ model }) => model)).toEqual(["o3", "gpt-4o-mini", "gpt-4o"]);
  });

  it("returns the reason of a failed test without keys, and stores it with its latency until a test succeeds", async () => {
    const { id } = await world.create({ status: 2 });
    const failure = { success: false, status: 401, errorCode: "invalid_api_key", errorType: "", unfit: true };
    world.relay.outcome = { ...failure, message: "no such key: sk-main-1234", timeMs: 87 };
    expect(await test(id)).toEqual({ success: false, message: "no such key: ***", timeSeconds: 0.087 });
    expect(await world.find(id)).toMatchObject({
      responseTime: 87,
      status: 2,
      testError: "no such key: ***",
    });
    world.relay.outcome = { ...failure, success: true, message: "", timeMs: 87 };
    await test(id);
    expect(await world.find(id)).toMatchObject({ testError: "" });
  });

  it("requests the models of an unsaved account, with its first key", async () => {
    const { models } = await world.client.fetchModels({ ...account, baseUrl: "https://host/" }, admin);
    expect(models).toEqual(["a", "b"]);
    expect(world.relay.fetches).toEqual([
      { type: 1, baseUrl: "https://host", key: "sk-new-1111", other: "", proxy: "" },
    ]);
  });

  it("sends a stored key to the stored address only", async () => {
    const { id } = await world.create({ baseUrl: "https://stored" });
    await world.client.fetchModels({ ...account, id, baseUrl: "https://elsewhere", key: "" }, admin);
    expect(world.relay.fetches).toEqual([
      { type: 1, baseUrl: "https://stored", key: "sk-main-1234", other: "", proxy: "" },
    ]);
  });

  it.each([
    ["channel_key_required", { ...account, key: " " }],
    ["channel_type_unsupported", { ...account, type: 9_999 }],
    ["channel_base_url_required", { ...account, type: 8 }],
    ["channel_base_url_invalid", { ...account, baseUrl: "file:///etc" }],
    ["channel_not_found", { ...account, id: 99_999_999 }],
  ])("refuses %s before any request is sent", async (expected, request) => {
    await expect(world.client.fetchModels(request, admin)).rejects.toEqual(code(expected));
    expect(world.relay.fetches).toEqual([]);
  });

  it("passes on why a model list could not be read", async () => {
    world.relay.models = undefined;
    await expect(world.client.fetchModels(account, admin)).rejects.toMatchObject({
      code: "fetch_models_failed",
      params: { detail: "HTTP 401" },
    });
  });
});
