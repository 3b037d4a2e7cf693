import { resolve } from "node:path";
import { jetstream } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { getSubject } from "@turnpike/shared/events/bus";
import { createUsageSigner } from "@turnpike/shared/crypto/usage-signature";
import { getUsageHeaders } from "@turnpike/shared/events/usage-headers";
import { usageRecorded } from "@turnpike/shared/events/relay";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CallResult, runCalls } from "../../fault/calls.ts";
import { createConsoleClient } from "../../lib/console-client.ts";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { checkOutFormer, type ExtraService, startAdditional } from "../../lib/previous-version.ts";
import { ledgerCheck } from "../../lib/ledger-check.ts";
import { isSettled } from "../../lib/settled.ts";
import { openTestSite, type TestSite } from "../../lib/test-site.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { ROOT_USER, startWorld, type World } from "../../lib/world.ts";

/** Two versions of the services at once on one set of backing services, as during a rolling update. */
const former = checkOutFormer();
const HERE = resolve(import.meta.dirname, "../../..");
let world: World;
let upstream: FakeUpstream;
let testSite: TestSite;
const formerServices: Record<string, ExtraService> = {};
let mixedRelay: ExtraService;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  world = await startWorld({ backing: testBacking() });
  testSite = await openTestSite(world, upstream.url);
  const { folder } = former;
  for (const service of ["auth", "billing", "channel"] as const)
    formerServices[service] = await startAdditional(world, service, { folder });
  // The previous relay and gateway call this version's services; one of this version's relays calls the previous ones.
  formerServices["relay"] = await startAdditional(world, "relay", { folder });
  formerServices["gateway"] = await startAdditional(world, "gateway", { folder });
  const address = (name: string): string => formerServices[name]?.grpcAddress ?? "";
  mixedRelay = await startAdditional(world, "relay", {
    folder: HERE,
    env: {
      AUTH_ADDRESS: address("auth"),
      BILLING_ADDRESS: address("billing"),
      CHANNEL_ADDRESS: address("channel"),
    },
  });
}, 240_000);
afterAll(async () => {
  await mixedRelay?.stop();
  for (const service of Object.values(formerServices)) await service.stop();
  await world?.stop();
  await upstream?.stop();
  former.remove();
});

const getUrl = (name: string): string => formerServices[name]?.httpUrl ?? "";
/** Logged cost of the calls, each once. */
async function readQuotas(calls: readonly CallResult[]): Promise<Map<string, number>> {
  await expect.poll(() => isSettled(world), { timeout: 30_000 }).toBe(true);
  const quotas = new Map<string, number>();
  const expected = new Set(calls.map(({ requestId }) => requestId));
  for (let page = 1; ; page++) {
    const { items, total } = await testSite.logs({ type: 2, p: page });
    for (const { request_id: id, quota } of items) {
      if (quotas.has(id)) throw new Error(`two log rows for the call ${id}`);
      if (expected.has(id)) quotas.set(id, quota);
    }
    if (items.length === 0 || page * 100 >= total) return quotas;
  }
}

describe(`this version next to the previous one (${former.reference})`, () => {
  it("charges calls through relays of both versions, posted by both billings, exactly and once", async () => {
    const { key } = await testSite.token();
    const before = (await testSite.self()).quota;
    const doors = [world.relayUrl, getUrl("relay"), mixedRelay.httpUrl];
    const calls = await Promise.all(
      doors.flatMap((url) => [
        runCalls({ url, key, count: 60, concurrency: 6 }),
        runCalls({ url, key, count: 30, concurrency: 3, stream: true }),
      ]),
    ).then((runs) => runs.flat());
    expect(calls.filter(({ outcome }) => outcome !== "served")).toEqual([]);
    const quotas = await readQuotas(calls);
    for (const { requestId, quota } of calls) expect(quotas.get(requestId)).toBe(quota);
    const charged = calls.reduce((sum, { quota }) => sum + quota, 0);
    expect(before - (await testSite.self()).quota).toBe(charged);
    for (const folder of [HERE, former.folder])
      expect(await ledgerCheck(world, { folder })).toContain("all figures agree");
    // Both billings posted some of them.
    const own = await world.metrics("billing");
    expect(own).toMatch(/turnpike_billing_usage_records_total\{outcome="posted"\} [1-9]/);
  }, 120_000);

  it("serves the previous console with this version's services, and every relay accepts a token created there", async () => {
    const client = createConsoleClient(getUrl("gateway"));
    await client.login(ROOT_USER.username, ROOT_USER.password);
    const made = await client.post<{ key: string }>("/api/token/", {
      name: "from the previous console",
      expired_time: -1,
      remain_quota: 1_000_000,
      unlimited_quota: false,
    });
    const key = made.key.startsWith("sk-") ? made.key : `sk-${made.key}`;
    for (const url of [world.relayUrl, getUrl("relay"), mixedRelay.httpUrl]) {
      const calls = await runCalls({ url, key, count: 2, concurrency: 1 });
      expect(calls.map(({ outcome }) => outcome)).toEqual(["served", "served"]);
    }
    expect((await client.get<{ items: unknown[] }>("/api/log/", { p: 1, page_size: 5 })).items.length).toBe(5);
  }, 60_000);

  it("posts records of the previous version and of a later one once each, however often they are delivered", async () => {
    await expect.poll(() => isSettled(world), { timeout: 30_000 }).toBe(true);
    const { id: userId, quota: before } = await testSite.self();
    const record = (requestId: string, more: object = {}): object => ({
      requestId,
      type: 2,
      createdAtSeconds: Math.floor(Date.now() / 1000),
      userId,
      username: ROOT_USER.username,
      tokenId: 0,
      tokenName: "",
      modelName: "gpt-4o",
      channelId: 0,
      channelName: "",
      group: "default",
      isStream: false,
      useTimeSeconds: 1,
      promptTokens: 10,
      completionTokens: 5,
      quota: 100,
      content: "",
      clientIp: "",
      other: "{}",
      ...more,
    });
    const batch = (records: object[], more: object = {}): string =>
      JSON.stringify({
        id: `upgrade-${Math.random()}`,
        type: usageRecorded.subject,
        source: "relay",
        time: new Date().toISOString(),
        data: { records, ...more },
        ...more,
      });
    const later = { addedByALaterVersion: { deep: [1] }, trace: 17 };
    const nats = await connect({ servers: world.natsUrl });
    const stream = jetstream(nats);
    const subject = getSubject(world.namespace, usageRecorded.subject);
    const ids = ["upgrade-former", "upgrade-later"];
    const signer = createUsageSigner(world.secrets.internalSecret);
    const send = (text: string) => stream.publish(subject, text, { headers: getUsageHeaders(signer, text) });
    for (let time = 0; time < 3; time++) {
      await send(batch([record("upgrade-former")]));
      await send(batch([record("upgrade-later", later), record("upgrade-former")], later));
    }
    await nats.close();
    for (const id of ids) expect((await testSite.readLogRow(id)).quota).toBe(100);
    await expect.poll(async () => before - (await testSite.self()).quota, { timeout: 10_000 }).toBe(200);
    expect(await ledgerCheck(world, { folder: HERE })).toContain("all figures agree");
  }, 60_000);

  it("stops the previous version during calls: none fails, none is charged twice", async () => {
    const { key } = await testSite.token();
    // The relay learns of it before the services it would call are stopped.
    await readQuotas(await runCalls({ url: mixedRelay.httpUrl, key, count: 1, concurrency: 1 }));
    const before = (await testSite.self()).quota;
    const running = runCalls({ url: world.relayUrl, key, count: 150, overMs: 6_000 });
    const streaming = runCalls({
      url: mixedRelay.httpUrl,
      key,
      count: 40,
      stream: true,
      overMs: 6_000,
    });
    for (const name of ["billing", "relay", "gateway", "channel", "auth"])
      expect(await formerServices[name]?.stop()).toBe(0);
    const calls = (await Promise.all([running, streaming])).flat();
    expect(calls.filter(({ outcome }) => outcome !== "served")).toEqual([]);
    const quotas = await readQuotas(calls);
    for (const { requestId, quota } of calls) expect(quotas.get(requestId)).toBe(quota);
    expect(before - (await testSite.self()).quota).toBe(calls.reduce((sum, { quota }) => sum + quota, 0));
    expect(await ledgerCheck(world, { folder: HERE })).toContain("all figures agree");
  }, 120_000);
});
