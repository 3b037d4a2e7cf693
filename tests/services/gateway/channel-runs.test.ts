import { ChannelBalanceResult, ChannelRun } from "@turnpike/contract/api/channels/channel-runs";
import { AppError } from "@turnpike/shared/errors/app-error";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatewayWorld, startGatewayWorld } from "./gateway-world.ts";

const PATHS = ["/api/channel/test", "/api/channel/update_balance", "/api/channel/update_balance/5"];

describe("runs over all channels and balances", () => {
  let world: GatewayWorld;
  beforeAll(async () => {
    world = await startGatewayWorld();
    const run = { startedAtSeconds: 1, endedAtSeconds: 0, done: 3, failed: 1, disabled: 1, enabled: 0, total: 9 };
    Object.assign(world.fakes.channelHealth, {
      testAllChannels: async () => ({}),
      updateAllBalances: async () => ({ isDone: true }),
      updateBalance: async () => ({ balance: 12.5 }),
      listRuns: async () => ({ runs: [{ kind: "test", isRunning: true, ...run }] }),
    });
  });
  afterAll(() => world.stop());
  const get = (path: string, as: "admin" | "ada" = "admin", headers: Record<string, string> = {}) =>
    world.call("GET", path, { as, headers });

  it.each(["", "/"])("returns the compatible shapes (slash form %j)", async (slash) => {
    expect((await get(`/api/channel/test${slash}`)).body).toMatchObject({ success: true, message: "" });
    expect((await get(`/api/channel/update_balance${slash}`)).body).toMatchObject({ success: true, message: "" });
    const one = await get(`/api/channel/update_balance/5${slash}`);
    expect(ChannelBalanceResult.parse(one.body)).toEqual({ success: true, message: "", balance: 12.5 });
    expect(world.last("updateBalance")?.request).toEqual({ id: 5 });
    const [run] = (await get(`/api/channel/runs${slash}`)).body.data as unknown[];
    expect(ChannelRun.parse(run)).toMatchObject({ kind: "test", running: true, done: 3, total: 9 });
  });

  it.each(["", "/"])("re-enables keys (slash form %j), for admins only", async (slash) => {
    world.fakes.channelHealth.reviveKeys = async () => ({ count: 2 });
    const path = `/api/channel/5/keys/revive${slash}`;
    expect((await world.call("POST", path, { as: "admin" })).body).toMatchObject({ success: true, data: 2 });
    expect(world.last("reviveKeys")?.request).toEqual({ id: 5 });
    expect((await world.call("POST", path, { as: "ada" })).status).toBe(403);
  });

  it.each(["", "/"])("stops on an admin's request (slash form %j)", async (slash) => {
    world.fakes.channelHealth.cancelRun = async () => ({ wasRunning: true });
    const response = await world.call("DELETE", `/api/channel/runs/test${slash}`, { as: "admin" });
    expect(response.body).toMatchObject({ success: true, data: true });
    expect(world.last("cancelRun")?.request).toEqual({ kind: "test" });
    expect((await world.call("DELETE", "/api/channel/runs/test", { as: "ada" })).status).toBe(403);
  });

  it("reports that a test of all channels is running already", async () => {
    world.fakes.channelHealth.testAllChannels = async () => {
      throw new AppError("channel_test_running", "runs");
    };
    const response = await get("/api/channel/test");
    expect(response).toMatchObject({ status: 200, body: { success: false, code: "channel_test_running" } });
  });

  it.each(PATHS)("restricts %s to admins and the console's own pages", async (path) => {
    expect((await get(path, "ada")).status).toBe(403);
    const foreign = await get(path, "admin", { "sec-fetch-site": "cross-site", origin: "https://elsewhere.test" });
    expect(foreign).toMatchObject({ status: 403, body: { success: false } });
  });
});
