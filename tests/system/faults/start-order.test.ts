import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { startWorld, type World } from "../../lib/world.ts";

let world: World;

beforeAll(async () => {
  world = await startWorld({ backing: testBacking() });
}, 120_000);
afterAll(() => world.stop());

describe("service started in any order", () => {
  it("is ready when it can serve a user's first requests, however late other services start", async () => {
    const root = await world.root();
    await world.suspend("auth");
    const others = ["billing", "messaging", "gateway"];
    for (const name of others) await world.suspend(name);
    const coming = Promise.all(others.map((name) => world.resume(name)));
    // The others have requested it several times by then, with increasing delays.
    await sleep(3_000);
    await Promise.all([world.resume("auth"), coming]);
    expect(await root.get("/api/token/")).toEqual([]);
    expect(await root.get("/api/status")).toMatchObject({ system_name: expect.any(String) });
  }, 120_000);
});
