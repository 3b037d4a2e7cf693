import { Task, TaskState } from "@turnpike/proto/billing/v1/task_service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  readAccount,
  actor,
  admin,
  type BillingWorld,
  type Replica,
  startBillingWorld,
  tokenInput,
} from "../billing-world.ts";
import { usage } from "../usage-records.ts";

let world: BillingWorld;
let other: Replica;
beforeAll(async () => {
  world = await startBillingWorld();
  other = await world.addReplica();
});
afterAll(() => world?.stop());

const ACCOUNT = {
  channelId: 5,
  channelName: "draw",
  channelType: 2,
  baseUrl: "http://upstream.example",
  keyHash: "hash",
  keyBox: "box",
};
const FAILED = TaskState.fromPartial({ status: "FAILURE", failReason: "no" });
const times = <Result>(count: number, run: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));
const soon = <Value>(read: () => Promise<Value>) => expect.poll(read, { timeout: 15_000, interval: 100 });

let last = 9_000;
async function owner(remainQuota = 1_000) {
  const userId = ++last;
  await world.accounts.openAccount({ userId, credit: 1_000, kind: "gift", reason: "" });
  const { token } = await world.tokens.createToken(
    { userId, userGroup: "default", input: { ...tokenInput, remainQuota } as never },
    actor(userId),
  );
  return { userId, tokenId: token?.id ?? 0 };
}
type Owner = Awaited<ReturnType<typeof owner>>;

/** A task accepted by upstream; charged if `isCharged`. */
async function running(
  { userId, tokenId }: Owner,
  about: { quota?: number; isCharged?: boolean; platform?: string } = {},
) {
  const { quota = 100, isCharged = true, platform = "mj" } = about;
  const requestId = `task-${++last}`;
  const upstreamId = `up-${last}`;
  const fields = { requestId, platform, action: "IMAGINE", userId, username: `user${userId}`, tokenId, quota };
  const { id } = await world.tasks.openTask({ task: Task.fromPartial({ ...fields, account: ACCOUNT }) });
  const state = TaskState.fromPartial({ code: 1 });
  await world.tasks.confirmTask({ id, upstreamId, state, quota, account: undefined });
  const charge = () => world.publish([usage({ requestId, userId, tokenId, quota, modelName: "mj_imagine" })]);
  if (isCharged) {
    await charge();
    await world.drained();
  }
  return { id, upstreamId, requestId, charge };
}
const getRefunds = (userId: number) => world.collections.ledger.find({ userId, kind: "refund" }).toArray();
const getTask = (id: number) => world.collections.tasks.findOne({ _id: id });

describe("failed task", () => {
  it("is refunded once to the user and the token, however many concurrent reports there are", async () => {
    const who = await owner();
    const { id } = await running(who);
    const report = { reports: [{ id, state: FAILED }], pauseMs: 1 };
    await times(20, (index) => (index % 2 === 0 ? world : other).tasks.reportTasks(report, { timeoutMs: 30_000 }));
    await soon(async () => (await getRefunds(who.userId)).length).toBe(1);
    expect(await getRefunds(who.userId)).toMatchObject([{ _id: `refund:task:${id}`, amount: 100 }]);
    expect(await readAccount(world, who.userId)).toMatchObject({ credits: 1_100, spent: 100 });
    expect(await world.collections.tokens.findOne({ _id: who.tokenId })).toMatchObject({ budget: 1_100, spent: 100 });
    expect(await getTask(id)).toMatchObject({ status: "FAILURE", progress: "100%", refundedQuota: 100, keyBox: "" });
    const success = { reports: [{ id, state: TaskState.fromPartial({ status: "SUCCESS" }) }], pauseMs: 1 };
    await world.tasks.reportTasks(success);
    expect(await getTask(id)).toMatchObject({ status: "FAILURE" });
    const rows = await world.collections.logs.find({ userId: who.userId, type: 4 }).toArray();
    expect(rows.filter(({ content }) => content.includes("失败退还"))).toHaveLength(1);
  });

  it("is refunded when its charge is posted, and never before", async () => {
    const who = await owner();
    const task = await running(who, { isCharged: false });
    await world.tasks.reportTasks({ reports: [{ id: task.id, state: FAILED }], pauseMs: 1 });
    expect(await getTask(task.id)).toMatchObject({ status: "FAILURE", refundedQuota: 0 });
    expect(await getRefunds(who.userId)).toEqual([]);
    await task.charge();
    await soon(async () => (await getRefunds(who.userId)).length).toBe(1);
    expect(await readAccount(world, who.userId)).toMatchObject({ credits: 1_100, spent: 100 });
  });

  it("is refunded although consumption is not logged, and not at all if it cost nothing", async () => {
    await world.setOption("LogConsumeEnabled", "false");
    const who = await owner();
    const task = await running(who, { quota: 70 });
    const free = await running(who, { quota: 0, isCharged: false });
    const reports = [task, free].map(({ id }) => ({ id, state: FAILED }));
    await world.tasks.reportTasks({ reports, pauseMs: 1 });
    await soon(async () => (await getRefunds(who.userId)).map(({ amount }) => amount)).toEqual([70]);
    expect(await getTask(free.id)).toMatchObject({ refundAtMs: 0, refundedQuota: 0 });
    await world.setOption("LogConsumeEnabled", "true");
  });

  it("re-enables a token that it exhausted", async () => {
    const who = await owner(100);
    const task = await running(who);
    await soon(async () => (await world.collections.tokens.findOne({ _id: who.tokenId }))?.status).toBe(4);
    await world.tasks.reportTasks({ reports: [{ id: task.id, state: FAILED }], pauseMs: 1 });
    await soon(async () => (await world.collections.tokens.findOne({ _id: who.tokenId }))?.status).toBe(1);
  });

  it("includes tasks that timed out and tasks whose submission was not confirmed", async () => {
    const who = await owner();
    const slow = await running(who);
    const fields = { platform: "suno", action: "MUSIC", userId: who.userId, username: "u", tokenId: 0, quota: 50 };
    const lost = { requestId: `lost-${last}`, ...fields, account: ACCOUNT };
    const { id } = await world.tasks.openTask({ task: Task.fromPartial(lost) });
    expect((await world.tasks.openTask({ task: Task.fromPartial(lost) })).id).toBe(id);
    // The relay died after its hold: billing's janitor posts it.
    await world.publish([usage({ requestId: lost.requestId, userId: who.userId, quota: 50 })]);
    await world.drained();
    await world.collections.tasks.updateMany({ _id: { $in: [slow.id, id] } }, { $set: { deadlineAtMs: 1 } });
    await soon(async () =>
      (await getRefunds(who.userId)).map(({ amount }) => amount).toSorted((a, b) => a - b),
    ).toEqual([50, 100]);
    expect([await getTask(slow.id), await getTask(id)]).toMatchObject([
      { failReason: expect.stringContaining("超时") as string },
      { failReason: expect.stringContaining("确认") as string },
    ]);
  });
});

describe("open tasks", () => {
  it("leases a task to one relay at a time, and again if that relay does not report", async () => {
    const who = await owner();
    const mine = await times(30, () => running(who, { isCharged: false }));
    await world.collections.tasks.updateMany({ _id: { $in: mine.map(({ id }) => id) } }, { $set: { pollAtMs: 1 } });
    const claims = await times(6, (index) =>
      (index % 2 === 0 ? world : other).tasks.claimTasks({ limit: 10, leaseMs: 1_000 }, { timeoutMs: 30_000 }),
    );
    const claimed = claims
      .flatMap(({ tasks }) => tasks.map(({ id }) => id))
      .filter((id) => mine.some((one) => one.id === id));
    expect(new Set(claimed).size).toBe(claimed.length);
    // Any of the six may have been too late to get one.
    expect(claims.flatMap(({ tasks }) => tasks)[0]).toMatchObject({ account: ACCOUNT, state: undefined });
    await soon(
      async () => (await world.tasks.claimTasks({ limit: 500, leaseMs: 60_000 })).tasks.length,
    ).toBeGreaterThan(0);
  });

  it("lists tasks for their owners and for admins, without the provider account's key, newest first", async () => {
    const [who, stranger] = [await owner(), await owner()];
    const [a, b] = [await running(who, { isCharged: false }), await running(who, { isCharged: false })];
    const query = { page: 0, pageSize: 1, userId: who.userId, platform: "mj", channelId: 0, upstreamId: "" };
    const all = { ...query, action: "", status: "", startMs: 0, endMs: 0 };
    const page = await world.tasks.listTasks(all, actor(who.userId));
    expect(page).toMatchObject({ total: 2, items: [{ id: b.id, account: { channelId: 5, keyBox: "", keyHash: "" } }] });
    const second = await world.tasks.listTasks(
      { ...all, page: 1, userId: 0, upstreamId: a.upstreamId, pageSize: 10 },
      admin,
    );
    expect(second).toMatchObject({ total: 1, items: [] });
    await expect(world.tasks.listTasks(all, actor(stranger.userId))).rejects.toMatchObject({
      code: "permission_denied",
    });
    const found = { userId: who.userId, platform: "mj", upstreamIds: [a.upstreamId] };
    await expect(world.tasks.findTasks(found, actor(who.userId))).rejects.toMatchObject({ code: "permission_denied" });
    expect((await world.tasks.findTasks({ ...found, userId: stranger.userId })).tasks).toEqual([]);
  });

  it("keeps the buttons when the same task is resubmitted and upstream returns the existing result", async () => {
    const who = await owner();
    const first = await running(who, { isCharged: false });
    const made = { status: "SUCCESS", imageUrl: "http://upstream.example/1.png" };
    const reported = TaskState.fromPartial({ ...made, promptEn: "a cat", buttonsJson: '[{"label":"U1"}]' });
    await world.tasks.reportTasks({ reports: [{ id: first.id, state: reported }], pauseMs: 0 });
    const again = await running(who, { isCharged: false });
    await world.collections.tasks.updateOne({ _id: again.id }, { $set: { upstreamId: first.upstreamId } });
    await world.tasks.reportTasks({ reports: [{ id: again.id, state: TaskState.fromPartial(made) }], pauseMs: 0 });
    const requested = { userId: who.userId, platform: "mj", upstreamIds: [first.upstreamId] };
    expect((await world.tasks.findTasks(requested)).tasks).toMatchObject([
      { id: again.id, state: { ...made, promptEn: "a cat", buttonsJson: '[{"label":"U1"}]' } },
    ]);
  });
});
