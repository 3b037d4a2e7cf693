import { AppError } from "@turnpike/shared/errors/app-error";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatewayWorld, startGatewayWorld } from "./gateway-world.ts";

describe("bulk channel calls", () => {
  let world: GatewayWorld;
  beforeAll(async () => {
    world = await startGatewayWorld();
    const count = async () => ({ count: 3 });
    Object.assign(world.fakes.channelBulk, {
      deleteChannels: count,
      deleteDisabledChannels: count,
      tagChannels: count,
      editTag: count,
      switchTag: count,
      fixChannels: count,
    });
    world.fakes.channels.listChannels = async () => ({ items: [], total: 4 });
  });
  afterAll(() => world.stop());

  const edit = { tag: "eu", newTag: "", priority: 0, weight: undefined, modelMapping: "", models: "a,b", groups: "" };
  it.each([
    { method: "DELETE", path: "/api/channel/disabled", body: undefined, rpc: "deleteDisabledChannels", requested: {} },
    {
      method: "POST",
      path: "/api/channel/batch",
      body: { ids: [1, "2"] },
      rpc: "deleteChannels",
      requested: { ids: [1, 2] },
    },
    {
      method: "POST",
      path: "/api/channel/batch/tag",
      body: { ids: [1], tag: null },
      rpc: "tagChannels",
      requested: { ids: [1], tag: undefined },
    },
    {
      method: "POST",
      path: "/api/channel/batch/tag",
      body: { ids: [1], tag: "eu" },
      rpc: "tagChannels",
      requested: { ids: [1], tag: "eu" },
    },
    {
      method: "POST",
      path: "/api/channel/tag/enabled",
      body: { tag: "eu" },
      rpc: "switchTag",
      requested: { tag: "eu", enabled: true },
    },
    {
      method: "POST",
      path: "/api/channel/tag/disabled",
      body: { tag: "eu" },
      rpc: "switchTag",
      requested: { tag: "eu", enabled: false },
    },
    {
      method: "PUT",
      path: "/api/channel/tag",
      body: { tag: "eu", new_tag: "", priority: "0", models: ["a", "b"] },
      rpc: "editTag",
      requested: edit,
    },
    { method: "POST", path: "/api/channel/fix", body: undefined, rpc: "fixChannels", requested: {} },
  ])(
    "returns the number of changed channels for $method $path, with and without a trailing slash",
    async ({ method, path, body, rpc, requested }) => {
      for (const form of [path, `${path}/`]) {
        const response = await world.call(method, form, { as: "admin", ...(body ? { body } : {}) });
        expect(response).toMatchObject({ status: 200, body: { success: true, message: "", data: 3 } });
        expect(world.last(rpc)?.request).toEqual(requested);
      }
      expect((await world.call(method, path, { as: "ada", ...(body ? { body } : {}) })).status).toBe(403);
      expect((await world.call(method, path, body ? { body } : {})).status).toBe(401);
    },
  );

  it.each([
    ["channel_priority_invalid", { priority: 1.5 }],
    ["channel_priority_invalid", { priority: "high" }],
    ["channel_weight_invalid", { weight: "1.5" }],
  ])("returns %s from an edit by tag and from an edit of a channel for %j", async (code, wrong) => {
    const byTag = await world.call("PUT", "/api/channel/tag", { as: "admin", body: { tag: "eu", ...wrong } });
    const one = await world.call("PUT", "/api/channel/", { as: "admin", body: { id: 1, ...wrong } });
    for (const { status, body } of [byTag, one]) expect([status, body.success, body.code]).toEqual([200, false, code]);
  });

  it("returns a failure of the service in the usual envelope", async () => {
    world.fakes.channelBulk.switchTag = async () => {
      throw new AppError("channel_tag_not_found", "none", { params: { tag: "x" } });
    };
    const response = await world.call("POST", "/api/channel/tag/enabled", { as: "admin", body: { tag: "x" } });
    expect(response).toMatchObject({ status: 200, body: { success: false, code: "channel_tag_not_found" } });
  });

  it("passes on tag mode for lists, and counts tags in totals", async () => {
    const response = await world.call("GET", "/api/channel/search?tag_mode=true&keyword=a", { as: "admin" });
    expect(response.headers.get("x-total-count")).toBe("4");
    expect(world.last("listChannels")?.request).toMatchObject({ tagMode: true, keyword: "a" });
  });

  it("copies the channel for a POST with an id and no key", async () => {
    world.fakes.channels.createChannel = async () => {
      throw new AppError("channel_not_found", "only the request counts");
    };
    const post = async (body: object) => {
      await world.call("POST", "/api/channel/", { as: "admin", body });
      return world.lastRequest<{ copyFrom: number }>("createChannel").copyFrom;
    };
    expect(await post({ id: 5, name: "copy", key: "" })).toBe(5);
    expect(await post({ copy_from: 6, name: "copy" })).toBe(6);
    expect(await post({ id: 5, name: "new", key: "sk-1" })).toBe(0);
    expect(await post({ name: "new", type: 1 })).toBe(0);
  });
});
