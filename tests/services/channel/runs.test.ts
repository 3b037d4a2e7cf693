import { createLogger } from "@turnpike/shared/log/log";
import { connectMongo } from "@turnpike/shared/mongo/mongo";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { runModel } from "../../../services/channel/src/runs/run-model.ts";
import { createRunStore } from "../../../services/channel/src/runs/run-store.ts";
import { createRunWorker, type Job } from "../../../services/channel/src/runs/run-worker.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { admin, type ChannelWorld, code, commoner, startChannelWorld } from "./channel-world.ts";

const WAIT = { timeout: 10_000, interval: 30 };

describe("runs over all channels", () => {
  let world: ChannelWorld;
  beforeAll(async () => {
    world = await startChannelWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    await world.mongo.collection("channels").deleteMany({});
    await world.mongo.collection("channel_runs").deleteMany({});
    await world.setOption("AutomaticDisableChannelEnabled", "true");
    await world.setOption("AutomaticEnableChannelEnabled", "false");
    world.relay.tests.length = 0;
    world.relay.respond = () => undefined;
    world.relay.balances.clear();
    world.clock.aheadMs = 0;
    world.heard.autoDisabled.length = 0;
    world.heard.autoEnabled.length = 0;
    world.heard.tested.length = 0;
  });
  const status = async (id: number) => (await world.find(id)).status;
  const setDoc = (id: number, set: object) =>
    world.mongo.collection<{ _id: number }>("channels").updateOne({ _id: id }, { $set: set });
  const run = async (kind: string) => (await world.health.listRuns({}, admin)).runs.find((each) => each.kind === kind);
  const untilEnded = (kind: string) =>
    vi.waitFor(async () => expect(await run(kind)).toMatchObject({ isRunning: false }), WAIT);
  const unfit = { success: false, message: "refused: sk-main-1234", status: 401, unfit: true };

  it("tests each channel once, disables slow and failed ones, and publishes the end", async () => {
    const [good, slow, refused] = [await world.create(), await world.create(), await world.create()];
    const [pinned, off] = [await world.create({ autoBan: 0 }), await world.create({ status: 2 })];
    world.relay.respond = ({ channel }) => {
      const id = channel?.channel?.id;
      if (id === slow.id) return { timeMs: 5_001 };
      return id === refused.id || id === pinned.id ? unfit : undefined;
    };
    await world.health.testAllChannels({}, admin);
    await untilEnded("test");
    expect(world.relay.tests).toHaveLength(5);
    expect(await Promise.all([good, slow, refused, pinned, off].map(({ id }) => status(id)))).toEqual([1, 3, 3, 1, 2]);
    expect(await run("test")).toMatchObject({ done: 5, failed: 3, disabled: 2, enabled: 0 });
    expect((await world.find(refused.id)).otherInfo).toContain("refused: ***");
    await vi.waitFor(() => {
      expect(new Set(world.heard.autoDisabled.map(({ channelId }) => channelId))).toEqual(
        new Set([slow.id, refused.id]),
      );
      expect(world.heard.tested).toEqual([{ tested: 5, failed: 3, disabled: 2, enabled: 0 }]);
    }, WAIT);
  });

  it("leaves refused, slow and empty channels enabled while automatic disabling is off", async () => {
    await world.setOption("AutomaticDisableChannelEnabled", "false");
    const { id } = await world.create({ key: "sk-poor-1" });
    world.relay.balances.set("sk-poor-1", 0);
    for (const outcome of [unfit, { timeMs: 5_001 }]) {
      world.relay.respond = () => outcome;
      await world.health.testAllChannels({}, admin);
      await untilEnded("test");
    }
    await world.health.updateAllBalances({}, admin);
    expect(await status(id)).toBe(1);
    expect(world.heard.autoDisabled).toEqual([]);
  });

  it("refuses a second test of all channels while one runs", async () => {
    await world.create();
    const requested = await Promise.allSettled(
      Array.from({ length: 10 }, () => world.health.testAllChannels({}, admin)),
    );
    const refused = requested.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
    expect(refused).toEqual(Array.from({ length: 9 }, () => code("channel_test_running")));
    await untilEnded("test");
  });

  it("stops early on an admin's request, and can be restarted", async () => {
    for (let index = 0; index < 12; index++) await world.create();
    // The test of the first channel waits until the run is stopped.
    const release = Promise.withResolvers<void>();
    world.relay.hold = release.promise;
    await world.health.testAllChannels({}, admin);
    await vi.waitFor(() => expect(world.relay.tests.length).toBeGreaterThan(0), WAIT);
    expect(await run("test")).toMatchObject({ isRunning: true, total: 12 });
    expect(await world.health.cancelRun({ kind: "test" }, admin)).toEqual({ wasRunning: true });
    release.resolve();
    world.relay.hold = undefined;
    await untilEnded("test");
    expect(world.relay.tests).toHaveLength(5);
    expect(world.heard.tested).toEqual([]);
    expect(await world.health.cancelRun({ kind: "test" }, admin)).toEqual({ wasRunning: false });
    await expect(world.health.cancelRun({ kind: "probe" }, admin)).rejects.toEqual(code("invalid_input"));
    await expect(world.health.cancelRun({ kind: "test" }, commoner)).rejects.toEqual(code("permission_denied"));
    await vi.waitFor(async () => {
      await world.health.testAllChannels({}, admin).catch(() => undefined);
      expect(world.relay.tests.length).toBeGreaterThan(5);
    }, WAIT);
    await untilEnded("test");
  });

  it("re-enables what the system disabled after a successful probe, each key separately", async () => {
    await world.setOption("AutomaticEnableChannelEnabled", "true");
    const { id } = await world.create({ key: "sk-good-1111,sk-bad-2222" });
    const at = Math.floor(Date.now() / 1000);
    const out = { "keys.0.disabledAtSeconds": at, "keys.1.disabledAtSeconds": at };
    await setDoc(id, { status: 3, statusReason: "refused", statusAtSeconds: at, ...out });
    world.relay.respond = ({ channel }) => (channel?.keys[0] === "sk-bad-2222" ? unfit : undefined);
    world.clock.aheadMs = 61_000;
    await vi.waitFor(async () => {
      world.wake();
      world.clock.aheadMs += 5_000;
      expect(await status(id)).toBe(1);
    }, WAIT);
    expect((await world.snapshot()).channels[0]?.keys).toEqual(["sk-good-1111"]);
    await vi.waitFor(() => expect(world.heard.autoEnabled).toEqual([{ channelId: id, name: "main" }]), WAIT);
  });

  /** Disabled since now, with the keys at these indexes disabled. */
  const switchOff = (id: number, places: readonly number[]) => {
    const at = Math.floor(Date.now() / 1000);
    const out = Object.fromEntries(places.map((place) => [`keys.${place}.disabledAtSeconds`, at]));
    return setDoc(id, { status: 3, statusReason: "off", statusAtSeconds: at, ...out });
  };
  const untilBack = (id: number) =>
    vi.waitFor(async () => {
      world.wake();
      // Longer than any delay between two probes.
      world.clock.aheadMs += 1_801_000;
      expect(await status(id)).toBe(1);
    }, WAIT);

  it("re-enables a channel with a key that stayed enabled, although another key fails", async () => {
    await world.setOption("AutomaticEnableChannelEnabled", "true");
    const { id } = await world.create({ key: "sk-slow-1111,sk-dead-2222" });
    await switchOff(id, [1]);
    world.relay.respond = ({ channel }) => (channel?.keys[0] === "sk-dead-2222" ? unfit : undefined);
    await untilBack(id);
    expect((await world.snapshot()).channels[0]?.keys).toEqual(["sk-slow-1111"]);
  });

  it("probes every key in time, however many failing keys precede it", async () => {
    await world.setOption("AutomaticEnableChannelEnabled", "true");
    const keys = Array.from({ length: 12 }, (_, index) => `sk-many-${index}-0000`);
    const { id } = await world.create({ key: keys.join() });
    await switchOff(id, [...keys.keys()]);
    world.relay.respond = ({ channel }) => (channel?.keys[0] === keys.at(-1) ? undefined : unfit);
    await untilBack(id);
    expect((await world.snapshot()).channels[0]?.keys).toEqual([keys.at(-1)]);
  });

  it("requests account balances, and disables enabled channels with an empty account", async () => {
    const rich = await world.create({ key: "sk-rich-1,sk-rich-2" });
    const poor = await world.create({ key: "sk-poor-1" });
    const silent = await world.create({ key: "sk-silent-1" });
    for (const [key, balance] of [
      ["sk-rich-1", 3.5],
      ["sk-rich-2", 1],
      ["sk-poor-1", 0],
    ] as const)
      world.relay.balances.set(key, balance);
    expect(await world.health.updateAllBalances({}, admin)).toEqual({ isDone: true });
    expect(await world.find(rich.id)).toMatchObject({ balance: 4.5, status: 1 });
    expect(await world.find(poor.id)).toMatchObject({ balance: 0, status: 3 });
    expect(await world.find(silent.id)).toMatchObject({ balance: 0, balanceUpdatedTime: 0, status: 1 });
  });

  it("requests one channel's balance, and only stores it", async () => {
    const { id } = await world.create({ key: "sk-poor-1" });
    await expect(world.health.updateBalance({ id }, admin)).rejects.toEqual(code("fetch_balance_failed"));
    world.relay.balances.set("sk-poor-1", -2.25);
    expect(await world.health.updateBalance({ id }, admin)).toEqual({ balance: -2.25 });
    expect(await world.find(id)).toMatchObject({ balance: -2.25, status: 1 });
    expect((await world.find(id)).balanceUpdatedTime).toBeGreaterThan(1_700_000_000);
  });

  it("does not re-enable a channel whose account is still empty", async () => {
    await world.setOption("AutomaticEnableChannelEnabled", "true");
    const { id } = await world.create({ key: "sk-poor-1" });
    world.relay.balances.set("sk-poor-1", 0);
    await world.health.updateAllBalances({}, admin);
    expect(await status(id)).toBe(3);
    const requested = async () => (await world.find(id)).balanceUpdatedTime;
    const first = await requested();
    world.clock.aheadMs = 65_000;
    await vi.waitFor(async () => {
      world.wake();
      world.clock.aheadMs += 5_000;
      expect(await requested()).toBeGreaterThan(first);
    }, WAIT);
    expect([await status(id), world.relay.tests.length]).toEqual([3, 0]);
  });

  it("is available to admins only", async () => {
    for (const rpc of ["testAllChannels", "updateAllBalances", "listRuns"] as const)
      await expect(world.health[rpc]({}, commoner)).rejects.toEqual(code("permission_denied"));
    await expect(world.health.updateBalance({ id: 1 })).rejects.toEqual(code("unauthenticated"));
  });
});

describe("run whose replica dies", () => {
  it("continues where it stopped, on another replica, after the lease", async () => {
    const mongo = await connectMongo(testBacking().mongodbUrl);
    const log = createLogger("runs-test", "silent");
    const clock = { aheadMs: 0 };
    const replica = (aheadMs: () => number, step: (id: number) => Promise<void>) => {
      const runs = createRunStore({ runs: runModel(mongo), nowMs: () => Date.now() + aheadMs() });
      const ids = Array.from({ length: 12 }, (_, index) => index + 1);
      const job: Job = {
        kind: "test",
        everyMs: () => 0,
        listAfter: async (after, limit) =>
          ids
            .filter((id) => id > after)
            .slice(0, limit)
            .map((_id) => ({ _id }) as Awaited<ReturnType<Job["listAfter"]>>[0]),
        step: async ({ _id }) => {
          await step(_id);
          return "fit";
        },
      };
      return { runs, worker: createRunWorker({ runs, jobs: [job], log }) };
    };
    const seen: number[] = [];
    let isStuck = false;
    const dying = replica(
      () => 0,
      async (id) => {
        if (id <= 5) return;
        isStuck = true;
        await new Promise(() => undefined);
      },
    );
    const heir = replica(
      () => clock.aheadMs,
      async (id) => void seen.push(id),
    );
    expect(await dying.runs.begin("test")).toBe(true);
    dying.worker.wake();
    await vi.waitFor(() => expect(isStuck).toBe(true), WAIT);
    heir.worker.wake();
    expect(await heir.runs.begin("test")).toBe(false);
    expect(seen).toEqual([]);
    clock.aheadMs = 60_000;
    await vi.waitFor(async () => {
      heir.worker.wake();
      const [run] = await heir.runs.list();
      expect(run).toMatchObject({ isRunning: false, done: 12 });
    }, WAIT);
    expect(seen).toEqual([6, 7, 8, 9, 10, 11, 12]);
    expect(await dying.runs.advance("test", "somebody", 12, { done: 1, failed: 0, disabled: 0, enabled: 0 })).toBe(
      false,
    );
    await dying.worker.stop();
    await heir.worker.stop();
    await mongo.close();
  });
});

describe("scheduled runs", () => {
  it("starts a full interval after the first check, and once for any number of replicas", async () => {
    const mongo = await connectMongo(testBacking().mongodbUrl);
    const log = createLogger("runs-test", "silent");
    const clock = { ms: 1_000_000 };
    const runs = createRunStore({ runs: runModel(mongo), nowMs: () => clock.ms });
    const tested: number[] = [];
    const ended: boolean[] = [];
    const one = { _id: 1 } as Awaited<ReturnType<Job["listAfter"]>>[0];
    const job: Job = {
      kind: "balance",
      everyMs: () => 60_000,
      listAfter: async (after) => (after === 0 ? [one] : []),
      step: async () => {
        tested.push(clock.ms);
        return "fit";
      },
      ended: ({ isManual }) => void ended.push(isManual),
    };
    const replicas = [1, 2, 3].map(() => createRunWorker({ runs, jobs: [job], log }));
    const look = () => {
      for (const replica of replicas) replica.wake();
    };
    await mongo.collection("channel_runs").deleteMany({});
    look();
    await vi.waitFor(async () => expect(await runs.list()).toHaveLength(1), WAIT);
    for (const [at, times] of [
      [59_999, 0],
      [60_000, 1],
      [119_999, 1],
      [120_000, 2],
    ] as const) {
      clock.ms = 1_000_000 + at;
      await vi.waitFor(async () => {
        look();
        expect((await runs.list())[0]?.isRunning).toBe(false);
        expect(ended).toHaveLength(times);
      }, WAIT);
    }
    expect(tested).toEqual([1_060_000, 1_120_000]);
    expect(ended).toEqual([false, false]);
    for (const replica of replicas) await replica.stop();
    await mongo.close();
  });
});
