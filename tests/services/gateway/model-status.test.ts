import { ChannelHours } from "@turnpike/contract/api/channels/channel-health";
import { ModelStatusList } from "@turnpike/contract/api/models/model-status";
import type { ListPartHoursResponse } from "@turnpike/proto/billing/v1/report_service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type GatewayWorld, startGatewayWorld } from "./gateway-world.ts";

const HOUR = 3_600;
const lastHour = 1_700_000_000 - (1_700_000_000 % HOUR);
const firstHour = lastHour - 23 * HOUR;
const hour = (at: number, count: number, errorCount: number) => ({ hour: at, count, errorCount, totalMs: count * 100 });
const latency = (total: Record<number, number>) => ({ totalSteps: total, firstTokenSteps: {} });
const part = (key: string, hours: ReturnType<typeof hour>[]) => ({
  key,
  hours,
  all: latency({ 10: 5 }),
  recent: latency({ 4: 1 }),
});
const HOURS: ListPartHoursResponse = {
  firstHour,
  lastHour,
  parts: [
    part("gpt-4o", [hour(firstHour, 3, 1), hour(lastHour, 8, 2), hour(lastHour - HOUR, 9, 1)]),
    part("down", [hour(lastHour, 0, 9)]),
    part("quiet", [hour(lastHour, 0, 1)]),
    part("secret-of-vip", [hour(lastHour, 5, 0)]),
  ],
};

function script(world: GatewayWorld): void {
  world.fakes.channels.listAbilities = async () => ({
    abilities: [
      { group: "default", models: ["gpt-4o", "down", "quiet", "unpriced", "broken", "half"] },
      { group: "vip", models: ["gpt-4o", "secret-of-vip", "half"] },
      { group: "inner", models: ["hidden"] },
    ],
    mappedModels: [],
    unavailable: [
      { group: "default", models: ["broken", "disabled", "half"] },
      { group: "inner", models: ["hidden-too"] },
    ],
  });
  world.fakes.prices.listPrices = async ({ models }) => ({
    prices: models.map((modelName) => ({
      modelName,
      quotaType: 0,
      modelRatio: 1,
      completionRatio: 1,
      modelPrice: 0,
      cacheRatio: 1,
      isSet: modelName !== "unpriced",
      detailsJson: "",
      origin: "built_in",
    })),
    groups: ["default", "vip"].map((group) => ({ group, ratio: 1, description: group })),
  });
  world.fakes.reports.listPartHours = async () => HOURS;
}

let world: GatewayWorld;
let open: GatewayWorld;
beforeAll(async () => {
  world = await startGatewayWorld();
  open = await startGatewayWorld({ options: { PublicStatusEnabled: "true" } });
  for (const one of [world, open]) script(one);
});
afterAll(() => Promise.all([world.stop(), open.stop()]));

const read = async (from: GatewayWorld, as?: "ada") =>
  z.object({ data: ModelStatusList }).parse((await from.call("GET", "/api/model_status", as ? { as } : {})).body).data;

describe("status of models", () => {
  it("is for signed-in users, and for visitors only where the site publishes it", async () => {
    const refused = await world.call("GET", "/api/model_status");
    expect(refused.status).toBe(401);
    expect(JSON.stringify(refused.body)).not.toContain("gpt-4o");
    expect((await world.call("GET", "/api/model_status", { as: "ada" })).status).toBe(200);
    expect((await open.call("GET", "/api/model_status")).status).toBe(200);
    expect((await open.call("GET", "/api/status")).body).toMatchObject({ data: { public_status: true } });
  });

  it("marks models without a price or a healthy channel, and those whose calls fail", async () => {
    const { models } = await read(world, "ada");
    expect(models.map(({ model_name, state }) => [model_name, state])).toEqual([
      ["broken", "unavailable"],
      ["disabled", "unavailable"],
      ["down", "failing"],
      ["gpt-4o", "degraded"],
      ["half", "available"],
      ["quiet", "available"],
      ["secret-of-vip", "available"],
      ["unpriced", "unavailable"],
    ]);
  });

  it("has the hours of a day, and times and errors of the recent hours and of the day", async () => {
    const list = await read(world, "ada");
    expect([list.first_hour, list.recent_from, list.errors_logged]).toEqual([firstHour, lastHour - HOUR, true]);
    const model = list.models.find(({ model_name }) => model_name === "gpt-4o");
    expect(model?.hours).toHaveLength(24);
    expect([model?.hours[0], model?.hours[1], model?.hours[22], model?.hours[23]]).toEqual([0.25, null, 0.1, 0.2]);
    expect(model?.recent.error_share).toBe(3 / 20);
    expect(model?.day).toMatchObject({ error_share: 4 / 24, first_token_p50_ms: null });
    expect(model?.day.p50_ms).toBeGreaterThan(model?.recent.p50_ms ?? Infinity);
  });

  it("shows visitors the models of the group default, and no channel, cost, count or other group", async () => {
    const list = await read(open);
    expect(list.models.map(({ model_name }) => model_name)).toEqual([
      "broken",
      "disabled",
      "down",
      "gpt-4o",
      "half",
      "quiet",
      "unpriced",
    ]);
    expect(list.models.find(({ model_name }) => model_name === "half")?.state).toBe("unavailable");
    expect(Object.keys(list.models[0] ?? {}).toSorted()).toEqual(["day", "hours", "model_name", "recent", "state"]);
  });

  it("is read once for many requests, without the caller's identity", async () => {
    const before = open.seen.filter(({ rpc }) => rpc === "listPartHours").length;
    await Promise.all(Array.from({ length: 5 }, () => open.call("GET", "/api/model_status")));
    const all = open.seen.filter(({ rpc }) => rpc === "listPartHours");
    expect(all.length - before).toBeLessThanOrEqual(1);
    expect(all.every(({ actor }) => actor === undefined)).toBe(true);
  });
});

describe("channel hours list", () => {
  it("is for administrators, and includes hours without calls", async () => {
    world.fakes.reports.listPartHours = async () => ({
      firstHour,
      lastHour,
      parts: [part("7", [hour(lastHour, 4, 1)])],
    });
    expect((await world.call("GET", "/api/channel/hours?ids=7,8", { as: "ada" })).status).toBe(403);
    expect((await world.call("GET", "/api/channel/hours?ids=x", { as: "admin" })).body.success).toBe(false);
    const { body } = await world.call("GET", "/api/channel/hours?ids=7,8", { as: "admin" });
    const [seven, eight] = z.object({ data: z.array(ChannelHours) }).parse(body).data;
    expect(seven?.hours).toHaveLength(24);
    expect(seven?.hours.at(-1)).toEqual({ hour: lastHour, count: 4, error_count: 1, average_ms: 100 });
    expect(eight?.hours.every(({ count }) => count === 0)).toBe(true);
    expect(world.last("listPartHours")?.request).toEqual({ by: "channel", hours: 24, keys: ["7", "8"] });
  });
});
