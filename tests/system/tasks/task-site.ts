import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { type FakeTasks, startFakeTasks } from "../../lib/fake-upstream/fake-tasks.ts";
import { ledgerCheck } from "../../lib/ledger-check.ts";
import { isSettled } from "../../lib/settled.ts";
import { newUser, type TestUser } from "../../lib/task-user.ts";
import { openTestSite, type TestSite } from "../../lib/test-site.ts";
import { startWorld, type World } from "../../lib/world.ts";

const MJ_MODELS =
  "mj_imagine,mj_describe,mj_blend,mj_upscale,mj_variation,mj_reroll,mj_upload,mj_shorten,mj_modal,mj_inpaint,mj_zoom,swap_face";
/** Price of an image task, in quota. */
export const IMAGINE = 50_000;

type Servers = {
  world: World;
  testSite: TestSite;
  /** Upstreams of the image channels, the preferred one first. */
  first: FakeTasks;
  second: FakeTasks;
  music: FakeTasks;
};

/** Polls a value for as long as a relay may take to poll its task. */
export const within = <Value>(read: () => Promise<Value>) => expect.poll(read, { timeout: 12_000, interval: 100 });

/** Submits an image task; returns its id. */
export async function imagine(user: TestUser, body: Record<string, unknown> = { prompt: "a cat" }): Promise<string> {
  const response = await user.call("POST", "/mj/submit/imagine", body);
  expect(response).toMatchObject({ status: 200, body: { code: 1 } });
  return String(response.body["result"]);
}

/** Reads the status of an image task. */
export const getStatus = (user: TestUser, id: string) => async () =>
  (await user.call("GET", `/mj/task/${id}/fetch`)).body["status"];

/** What the tests of tasks share: a system of two relays, with two image channels and a music channel. */
export function useTaskSite() {
  const at = {} as Servers;
  const ids: Record<string, number> = {};

  async function addChannel(name: string, fields: Record<string, unknown>): Promise<void> {
    const place = { key: `up-${name}`, group: "default", models: MJ_MODELS };
    await at.testSite.root.post("/api/channel/", { name, ...place, ...fields });
    const channels = await at.testSite.root.get<{ id: number; name: string }[]>("/api/channel/", { page_size: 100 });
    ids[name] = channels.find((channel) => channel.name === name)?.id ?? 0;
  }

  beforeAll(async () => {
    const [first, second, music] = await Promise.all([startFakeTasks(), startFakeTasks(), startFakeTasks()]);
    Object.assign(at, { first, second, music });
    at.world = await startWorld({ backing: testBacking(), relayWorkers: 2, env: { TASK_POLL_SECONDS: "0.3" } });
    at.testSite = await openTestSite(at.world, first.url);
    await addChannel("draw", { type: 2, base_url: first.url, priority: 10 });
    await addChannel("draw-plus", { type: 5, base_url: second.url, priority: 0 });
    await addChannel("song", { type: 36, base_url: music.url, models: "suno_music,suno_lyrics" });
    await at.testSite.root.put("/api/option/", { key: "ServerAddress", value: at.world.relayUrl });
    await at.testSite.root.put("/api/option/", { key: "RetryTimes", value: "2" });
  }, 150_000);
  beforeEach(() => {
    for (const upstream of [at.first, at.second, at.music]) upstream.setAway(false);
  });
  afterAll(async () => {
    await at.world?.stop();
    await Promise.all([at.first?.stop(), at.second?.stop(), at.music?.stop()]);
  });

  const createUser = (quota?: number, token?: Record<string, unknown>): Promise<TestUser> =>
    newUser({ world: at.world, testSite: at.testSite }, quota, token);

  /** The report of the ledger check once all usage is posted. */
  async function runLedgerCheck(): Promise<string> {
    await within(() => isSettled(at.world)).toBe(true);
    return ledgerCheck(at.world);
  }

  return Object.assign(at, { channelIds: ids, addChannel, createUser, runLedgerCheck });
}

export type TaskSite = ReturnType<typeof useTaskSite>;
