import { accountsSpent } from "@turnpike/shared/events/billing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type BillingWorld, startBillingWorld } from "../billing-world.ts";
import { usage } from "../usage-records.ts";

describe("spending events", () => {
  let world: BillingWorld;
  const reported: { userId: number; quota: number }[][] = [];
  beforeAll(async () => {
    world = await startBillingWorld();
    world.bus.listen(accountsSpent, ({ accounts }) => void reported.push(accounts));
    await world.nats.flush();
  });
  afterAll(() => world.stop());

  const waitForNotice = (userId: number): number[] =>
    reported.flatMap((accounts) => accounts.filter((account) => account.userId === userId).map(({ quota }) => quota));

  it("publishes the balance of every user who spent in that second, once per second", async () => {
    for (const userId of [71, 72])
      await world.accounts.openAccount({ userId, credit: 1_000, kind: "gift", reason: "" });
    await world.publish(Array.from({ length: 20 }, () => usage({ userId: 71, quota: 10 })));
    await world.publish([usage({ userId: 72, quota: 1_500 })]);
    await world.drained();
    await vi.waitFor(() => expect([waitForNotice(71).at(-1), waitForNotice(72).at(-1)]).toEqual([800, -500]), {
      timeout: 5_000,
    });
    expect(waitForNotice(71).length).toBeLessThanOrEqual(2);
  });

  it("publishes spending before billing stops", async () => {
    const replica = await world.addReplica();
    await replica.billing.spent.stop();
    await world.publish([usage({ userId: 71, quota: 1 })]);
    await world.drained();
    await world.billing.spent.stop();
    await replica.billing.spent.stop();
    await vi.waitFor(() => expect(waitForNotice(71).at(-1)).toBe(799));
  });
});
