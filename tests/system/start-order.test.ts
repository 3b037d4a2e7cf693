import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testBacking } from "../lib/backing/test-backing.ts";
import { startWorld, type World } from "../lib/world.ts";

let world: World;

beforeAll(async () => {
  world = await startWorld({ backing: testBacking() });
}, 120_000);
afterAll(() => world.stop());

describe("services that start in any order", () => {
  it("are ready when they answer what a person asks first, however late the others come", async () => {
    const root = await world.root();
    await world.suspend("auth");
    const others = ["billing", "messaging", "gateway"];
    for (const name of others) await world.suspend(name);
    const coming = Promise.all(others.map((name) => world.resume(name)));
    // The others have asked for it several times by then, and wait longer each time.
    await sleep(3_000);
    await Promise.all([world.resume("auth"), coming]);
    expect(await root.get("/api/token/")).toEqual([]);
    expect(await root.get("/api/status")).toMatchObject({ system_name: expect.any(String) });
  }, 120_000);
});
