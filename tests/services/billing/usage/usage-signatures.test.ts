import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeEvent } from "@turnpike/shared/events/bus";
import { SIGNING_RELAY } from "@turnpike/shared/accounts/account-keys";
import { type UsageRecord, usageRecorded } from "@turnpike/shared/events/relay";
import { readAccount, type BillingWorld, startBillingWorld } from "../billing-world.ts";
import { createRelayDouble } from "../relay-double.ts";
import { usage } from "../usage-records.ts";

let world: BillingWorld;
beforeAll(async () => {
  world = await startBillingWorld();
});
afterAll(() => world.stop());

let lastUser = 9_000;
async function user(): Promise<number> {
  const userId = ++lastUser;
  await world.accounts.openAccount({ userId, credit: 10_000, kind: "gift", reason: "" });
  await world.accounts.loadAccount({ userId, tokenId: 0 });
  return userId;
}
const toText = (record: UsageRecord): string => encodeEvent(usageRecorded, "relay", { records: [record] });
const deadLetters = (requestId: string) =>
  world.collections.deadLetters.countDocuments({ payload: { $regex: `"${requestId}"` }, reason: /signature/ });
async function post(text: string, signature?: string): Promise<void> {
  await world.publishUnsigned(text, signature);
  await world.drained();
}

describe("usage record from another sender on NATS", () => {
  it("is dead-lettered and charges no account", async () => {
    const userId = await user();
    const [unsigned, forged, changed] = [1, 2, 3].map((quota) => usage({ userId, quota }));
    await post(toText(unsigned as UsageRecord));
    await post(toText(forged as UsageRecord), "v1=00ff");
    const stolen = world.sign(toText(usage({ userId })));
    await post(toText(changed as UsageRecord), stolen);
    expect(await readAccount(world, userId)).toMatchObject({ spent: 0, requestCount: 0 });
    for (const record of [unsigned, forged, changed]) expect(await deadLetters(record?.requestId ?? "")).toBe(1);
  });

  it("cannot release a call that was posted from its hold", async () => {
    const userId = await user();
    const record = usage({ userId, quota: 70, recovered: true });
    await world.publish([record]);
    await post(toText({ ...record, type: 6, quota: 0, recovered: false, released: true }));
    expect(await readAccount(world, userId)).toMatchObject({ spent: 70 });
  });
});

describe("unsigned record of a relay that signs", () => {
  it.each(["open", "settled"])(
    "charges nothing, though it names a call that Redis has (%s); the call's own record counts",
    async (state) => {
      const userId = await user();
      const relay = createRelayDouble(world.redis, `host-1-01ARZ3${SIGNING_RELAY}`);
      const record = usage({ userId, quota: 55 });
      await relay.hold({ id: record.requestId, userId, amount: 90 });
      if (state === "settled") await relay.settle({ id: record.requestId, userId, amount: 55 });
      await post(toText({ ...record, quota: state === "settled" ? 55 : 9_000 }));
      expect(await readAccount(world, userId)).toMatchObject({ spent: 0, requestCount: 0 });
      expect(await deadLetters(record.requestId)).toBe(1);
      await world.publish([record]);
      await world.drained();
      expect(await readAccount(world, userId)).toMatchObject({ spent: 55, requestCount: 1 });
    },
  );
});

describe("unsigned record of a relay of the version before", () => {
  it("is replaced by the signed record of the call, and never replaces it", async () => {
    const userId = await user();
    const relay = createRelayDouble(world.redis, "former");
    const record = usage({ userId, quota: 55 });
    await relay.hold({ id: record.requestId, userId, amount: 90 });
    await post(toText({ ...record, quota: 9_000 }));
    expect(await readAccount(world, userId)).toMatchObject({ spent: 9_000, requestCount: 1 });
    await world.publish([record]);
    await world.drained();
    expect(await readAccount(world, userId)).toMatchObject({ spent: 55, requestCount: 1 });
    await post(toText({ ...record, quota: 9_000 }));
    expect(await readAccount(world, userId)).toMatchObject({ spent: 55, requestCount: 1 });
  });

  it("is posted when Redis has the call with the same cost", async () => {
    const userId = await user();
    const relay = createRelayDouble(world.redis, "former");
    const record = usage({ userId, quota: 55 });
    await relay.hold({ id: record.requestId, userId, amount: 90 });
    await relay.settle({ id: record.requestId, userId, amount: 55 });
    await post(toText({ ...record, quota: 54 }));
    expect(await readAccount(world, userId)).toMatchObject({ spent: 0 });
    await post(toText(record));
    expect(await readAccount(world, userId)).toMatchObject({ spent: 55, requestCount: 1 });
    await post(toText(record));
    expect(await readAccount(world, userId)).toMatchObject({ spent: 55, requestCount: 1 });
    expect(await deadLetters(record.requestId)).toBe(1);
  });
});
