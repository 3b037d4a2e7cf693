import { AffTransferResult } from "@turnpike/contract/api/affiliate";
import { CheckInResult, CheckInStatus } from "@turnpike/contract/api/check-in";
import { AppError } from "@turnpike/shared/errors/app-error";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatewayWorld, USERS, startGatewayWorld } from "./gateway-world.ts";

describe("self service over /api", () => {
  let world: GatewayWorld;

  beforeAll(async () => {
    world = await startGatewayWorld({ options: { CheckInEnabled: "true", AffEnabled: "false" } });
    world.fakes.self.deleteSelf = async () => ({});
    world.fakes.self.transferEarnings = async ({ amount }) => ({ amount, affQuota: 5 });
    world.fakes.self.getCheckInStatus = async () => ({
      enabled: true,
      checkedInToday: true,
      day: "2026-11-21",
      amount: 1_234,
    });
    world.fakes.self.checkIn = async () => ({ amount: 1_234 });
    world.fakes.auth.manageUser = async () => ({ user: USERS.ada });
  });
  afterAll(() => world.stop());

  it.each([
    ["DELETE", "/api/user/self"],
    ["GET", "/api/user/aff"],
    ["POST", "/api/user/aff_transfer"],
    ["GET", "/api/user/check_in_status"],
    ["POST", "/api/user/check_in"],
  ])("requires a signed-in user for %s %s, with and without a trailing slash", async (method, path) => {
    const body = method === "POST" ? { quota: 1 } : undefined;
    for (const form of [path, `${path}/`]) {
      expect((await world.call(method, form, { body })).status).toBe(401);
      const response = await world.call(method, form, { as: "ada", body });
      expect([response.status, response.body.success]).toEqual([200, true]);
    }
  });

  it("returns the contract's shapes", async () => {
    const status = await world.call("GET", "/api/user/check_in_status", { as: "ada" });
    expect(CheckInStatus.parse(status.body.data)).toEqual({
      can_check_in: false,
      enabled: true,
      checked_in_today: true,
      day: "2026-11-21",
      quota: 1_234,
    });
    expect(CheckInResult.parse((await world.call("POST", "/api/user/check_in", { as: "ada" })).body.data)).toEqual({
      quota: 1_234,
    });
    const moved = await world.call("POST", "/api/user/aff_transfer", { as: "ada", body: { quota: "700" } });
    expect(AffTransferResult.parse(moved.body.data)).toEqual({ quota: 700, aff_quota: 5 });
    const site = await world.call("GET", "/api/status");
    expect(site.body.data).toMatchObject({ check_in_enabled: true, aff_enabled: false });
  });

  it("deregisters with or without a typed name, and clears the session cookie", async () => {
    const typed = await world.call("DELETE", "/api/user/self", { as: "ada", body: { username: "ada" } });
    expect(world.lastRequest("deleteSelf")).toEqual({ userId: 7, confirmation: "ada" });
    expect(typed.headers.get("set-cookie")).toContain("Max-Age=0");
    await world.call("DELETE", "/api/user/self", { as: "ada" });
    expect(world.lastRequest("deleteSelf")).toEqual({ userId: 7, confirmation: undefined });
    world.fakes.self.deleteSelf = async () => {
      throw new AppError("confirmation_mismatch", "another name");
    };
    const refused = await world.call("DELETE", "/api/user/self", { as: "ada", body: { username: "" } });
    expect(refused.body).toMatchObject({ success: false, code: "confirmation_mismatch" });
    expect(refused.headers.get("set-cookie")).toBeNull();
  });

  it("refuses requests of another site", async () => {
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    for (const [method, path] of [
      ["DELETE", "/api/user/self"],
      ["POST", "/api/user/check_in"],
      ["POST", "/api/user/aff_transfer"],
    ] as const)
      expect((await world.call(method, path, { as: "ada", headers, body: { quota: 1 } })).status).toBe(403);
  });

  it("lets admins delete users by id, and refuses lower roles", async () => {
    expect((await world.call("DELETE", "/api/user/7", { as: "ada" })).status).toBe(403);
    expect((await world.call("DELETE", "/api/user/7/", { as: "admin" })).body.success).toBe(true);
    expect(world.lastRequest("manageUser")).toEqual({ id: 7, action: "delete" });
  });
});
