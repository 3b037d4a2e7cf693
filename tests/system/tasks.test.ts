import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type FakeTasks, PICTURE, startFakeTasks } from "../lib/fake-upstream/fake-tasks.ts";
import { ledgerCheck } from "../lib/ledger-check.ts";
import { isSettled } from "../lib/settled.ts";
import { openShop, type Shop } from "../lib/shop.ts";
import {
  balanceOf,
  bearer,
  drawn,
  leftOf,
  newPerson,
  type Person,
  refundsOf,
  rowsOf,
  START,
} from "../lib/task-person.ts";
import { testBacking } from "../lib/backing/test-backing.ts";
import { startWorld, type World } from "../lib/world.ts";

const MJ_MODELS =
  "mj_imagine,mj_describe,mj_blend,mj_upscale,mj_variation,mj_reroll,mj_upload,mj_shorten,mj_modal,mj_inpaint,mj_zoom,swap_face";
const IMAGINE = 50_000;

let world: World;
let shop: Shop;
let first: FakeTasks;
let second: FakeTasks;
let music: FakeTasks;
const ids: Record<string, number> = {};

const connect = async (name: string, fields: Record<string, unknown>): Promise<void> => {
  await shop.root.post("/api/channel/", { name, key: `up-${name}`, group: "default", models: MJ_MODELS, ...fields });
  const channels = await shop.root.get<{ id: number; name: string }[]>("/api/channel/", { page_size: 100 });
  ids[name] = channels.find((channel) => channel.name === name)?.id ?? 0;
};

beforeAll(async () => {
  [first, second, music] = await Promise.all([startFakeTasks(), startFakeTasks(), startFakeTasks()]);
  world = await startWorld({ backing: testBacking(), relayWorkers: 2, env: { TASK_POLL_SECONDS: "0.3" } });
  shop = await openShop(world, first.url);
  await connect("draw", { type: 2, base_url: first.url, priority: 10 });
  await connect("draw-plus", { type: 5, base_url: second.url, priority: 0 });
  await connect("song", { type: 36, base_url: music.url, models: "suno_music,suno_lyrics" });
  await shop.root.put("/api/option/", { key: "ServerAddress", value: world.relayUrl });
  await shop.root.put("/api/option/", { key: "RetryTimes", value: "2" });
}, 150_000);
beforeEach(() => {
  for (const upstream of [first, second, music]) upstream.setAway(false);
});
afterAll(async () => {
  await world?.stop();
  await Promise.all([first?.stop(), second?.stop(), music?.stop()]);
});

const person = (quota?: number, token?: Record<string, unknown>): Promise<Person> =>
  newPerson({ world, shop }, quota, token);
const within = <Value>(read: () => Promise<Value>) => expect.poll(read, { timeout: 12_000, interval: 100 });
async function imagine(who: Person, body: Record<string, unknown> = { prompt: "a cat" }): Promise<string> {
  const answer = await who.call("POST", "/mj/submit/imagine", body);
  expect(answer).toMatchObject({ status: 200, body: { code: 1 } });
  return String(answer.body["result"]);
}
const statusOf = (who: Person, id: string) => async () =>
  (await who.call("GET", `/mj/task/${id}/fetch`)).body["status"];

async function checkBooks(): Promise<string> {
  await within(() => isSettled(world)).toBe(true);
  return ledgerCheck(world);
}

describe("image task", () => {
  it("is charged once at its submission and followed to its end", async () => {
    const who = await person();
    const answer = await who.call("POST", "/mj-fast/mj/submit/imagine", { prompt: "a cat", state: "mine" });
    const id = String(answer.body["result"]);
    const sent = first.submissions().at(-1);
    expect(sent).toMatchObject({ path: "/mj/submit/imagine", body: { prompt: "a cat", state: "mine" } });
    expect(sent?.headers["mj-api-secret"]).toBe("up-draw");
    first.tell(id, { status: "IN_PROGRESS", progress: "40%", imageUrl: `${first.url}/img/half.png` });
    await within(statusOf(who, id)).toBe("IN_PROGRESS");
    const half = await who.call("GET", `/mj/task/${id}/fetch`);
    expect(half.body["imageUrl"]).toMatch(new RegExp(`^${world.relayUrl}/mj/image/${id}\\?rand=`));
    const buttons = [{ customId: "MJ::JOB::upsample::1::x" }];
    first.tell(id, { status: "SUCCESS", progress: "100%", imageUrl: `${first.url}/img/a.png`, buttons, finishTime: 7 });
    await within(statusOf(who, id)).toBe("SUCCESS");
    const done = await who.call("GET", `/mj/task/${id}/fetch`);
    expect(done.body).toMatchObject({
      id,
      action: "IMAGINE",
      state: "mine",
      progress: "100%",
      buttons,
      prompt: "a cat",
    });
    const picture = await fetch(String(done.body["imageUrl"]));
    expect(picture.headers.get("content-type")).toBe("image/png");
    expect(PICTURE.equals(Buffer.from(await picture.arrayBuffer()))).toBe(true);
    expect((await fetch(`${world.consoleUrl}/mj/image/${id}`)).status).toBe(200);
    await within(() => balanceOf(who)).toBe(START - IMAGINE);
    expect(await leftOf(who)).toBe(START - IMAGINE);
    const { items, total } = await rowsOf(who, 2);
    expect([total, items[0]?.quota, items[0]?.model_name]).toEqual([1, IMAGINE, "mj_imagine"]);
    expect(JSON.parse(items[0]?.other ?? "{}")).toMatchObject({ model_price: 0.1, group_ratio: 1, task_id: id });
    const [row] = (await drawn(who)).items;
    expect(row).toMatchObject({ mj_id: id, status: "SUCCESS", quota: IMAGINE, channel_id: 0, code: 1 });
  });

  it("is listed by its ids, the caller's own only", async () => {
    const [who, other] = await Promise.all([person(), person()]);
    const [mine, theirs] = [await imagine(who), await imagine(other)];
    const listed = await who.call("POST", "/mj/task/list-by-condition", { ids: [theirs, mine, "1"] });
    expect((listed.body as unknown as { id: string }[]).map(({ id }) => id)).toEqual([mine]);
    expect(await who.call("GET", `/mj/task/${theirs}/fetch`)).toMatchObject({ status: 400, body: { code: 4 } });
    const change = { taskId: theirs, action: "UPSCALE", index: 1 };
    expect(await who.call("POST", "/mj/submit/change", change)).toMatchObject({ status: 400 });
    expect(await who.call("POST", "/mj/notify", { id: theirs })).toMatchObject({ status: 400 });
  });

  it("sends upstream only what the site passes on", async () => {
    const who = await person();
    const whole = {
      prompt: "a cat --fast",
      notifyHook: "https://example.com/hook",
      accountFilter: { modes: ["FAST"] },
    };
    await imagine(who, whole);
    expect(first.submissions().at(-1)?.body).toEqual({ prompt: "a cat --fast" });
    const options = { MjNotifyEnabled: "true", MjAccountFilterEnabled: "true", MjModeClearEnabled: "true" };
    for (const [key, value] of Object.entries(options)) await shop.root.put("/api/option/", { key, value });
    await within(async () => {
      await imagine(who, whole);
      return first.submissions().at(-1)?.body;
    }).toEqual({ ...whole, prompt: "a cat" });
    const inside = await who.call("POST", "/mj/submit/imagine", { ...whole, notifyHook: "http://127.0.0.1:9/x" });
    expect(inside).toMatchObject({ status: 400, body: { code: 4, type: "turnpike_error" } });
    for (const key of Object.keys(options)) await shop.root.put("/api/option/", { key, value: "false" });
  });

  it("runs a follow-up at the same account, once the first task has succeeded", async () => {
    const who = await person();
    first.answerNext({ code: 23, description: "队列已满" });
    const id = await imagine(who);
    expect(second.submissions().at(-1)?.headers["mj-api-secret"]).toBe("up-draw-plus");
    const change = { taskId: id, action: "UPSCALE", index: 2 };
    expect(await who.call("POST", "/mj/submit/change", change)).toMatchObject({ status: 400 });
    second.tell(id, { status: "SUCCESS", progress: "100%" });
    await within(statusOf(who, id)).toBe("SUCCESS");
    for (const [path, body] of [
      ["change", change],
      ["simple-change", { content: `${id} V3` }],
      ["action", { taskId: id, customId: "MJ::Inpaint::1::x" }],
      ["modal", { taskId: id, prompt: "red" }],
    ] as const) {
      expect(await who.call("POST", `/mj/submit/${path}`, body)).toMatchObject({ status: 200, body: { code: 1 } });
      expect(second.submissions().at(-1)).toMatchObject({ path: `/mj/submit/${path}`, body });
    }
    // Imagine, upscale, variation and modal; opening the inpaint dialog costs nothing.
    await within(() => balanceOf(who)).toBe(START - IMAGINE - 25_000 - 50_000 - 50_000);
    expect((await who.call("GET", `/mj/task/${id}/image-seed`)).body).toMatchObject({ result: "3541" });
    await shop.root.put("/api/channel/", { id: ids["draw-plus"], status: 2 });
    await within(async () => (await who.call("POST", "/mj/submit/change", change)).status).toBe(503);
    await shop.root.put("/api/channel/", { id: ids["draw-plus"], status: 1 });
  });

  it("returns upstream's refusal in upstream's words at no cost", async () => {
    const who = await person();
    const banned = { code: 24, description: "可能包含敏感词", properties: { bannedWord: "nude" } };
    first.answerNext(banned);
    expect(await who.call("POST", "/mj/submit/imagine", { prompt: "nude" })).toEqual({ status: 200, body: banned });
    const [row] = (await drawn(who)).items;
    expect(row).toMatchObject({ status: "FAILURE", fail_reason: "可能包含敏感词", code: 24, quota: 0 });
    first.answerNext({ message: "bad key" }, 401);
    second.answerNext({ message: "down" }, 500);
    const failed = await who.call("POST", "/mj/submit/imagine", { prompt: "a cat" });
    expect(failed).toMatchObject({ status: 500, body: { type: "upstream_error", description: /down/ } });
    await within(() => isSettled(world)).toBe(true);
    expect([await balanceOf(who), (await rowsOf(who, 2)).total, (await refundsOf(who)).total]).toEqual([START, 0, 0]);
  });

  it("is refused, in the format of its callers, without a key, a balance or required fields", async () => {
    const who = await person(IMAGINE - 1);
    const before = first.submissions().length;
    const refusals = [
      await who.call("POST", "/mj/submit/imagine", { prompt: "a cat" }),
      await who.call("POST", "/mj/submit/imagine", {}),
      await who.call("POST", "/mj/submit/imagine", { prompt: "x" }, {}),
      await who.call("POST", "/mj/submit/imagine", { prompt: "x" }, { authorization: "Bearer sk-none" }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([403, 400, 401, 401]);
    for (const { body } of refusals)
      expect(body).toEqual({ description: expect.any(String), type: "turnpike_error", code: expect.any(Number) });
    expect(first.submissions()).toHaveLength(before);
    const limited = await person(START, { remain_quota: 10 });
    expect((await limited.call("POST", "/mj/submit/imagine", { prompt: "x" })).status).toBe(403);
  });

  it("is refused for a token whose group was closed to its user", async () => {
    const who = await person(START, { group: "vip" });
    const statusNow = async () => (await who.call("POST", "/mj/submit/imagine", { prompt: "x" })).status;
    expect(await statusNow()).toBe(503);
    const key = "UserUsableGroups";
    const usable = (value: unknown) => shop.root.put("/api/option/", { key, value: JSON.stringify(value) });
    await usable({ default: "d" });
    await within(statusNow).toBe(403);
    await usable({ default: "d", vip: "v" });
  });

  it("is polled at once when upstream reports a change, without trusting the content of the report", async () => {
    const who = await person();
    const id = await imagine(who);
    const forged = { id, status: "FAILURE", imageUrl: "http://169.254.169.254/x", failReason: "forged" };
    expect(await who.call("POST", "/mj/notify", forged)).toMatchObject({ status: 200, body: { code: 1 } });
    first.tell(id, { status: "SUCCESS", progress: "100%", imageUrl: `${first.url}/img/b.png` });
    await within(statusOf(who, id)).toBe("SUCCESS");
    expect((await refundsOf(who)).total).toBe(0);
  });

  const placeOfPicture = async (imageUrl: string): Promise<string> => {
    const who = await person();
    const id = await imagine(who);
    first.tell(id, { status: "SUCCESS", progress: "100%", imageUrl });
    await within(statusOf(who, id)).toBe("SUCCESS");
    return `${world.relayUrl}/mj/image/${id}`;
  };
  const movedTo = (address: string): string => `${first.url}/a.png?moved-to=${encodeURIComponent(address)}`;

  it("serves no image from a private address other than its upstream's, also after a redirect", async () => {
    let fetched = 0;
    const inside = createServer((_, response) => {
      fetched++;
      response.writeHead(200, { "content-type": "image/png" }).end(PICTURE);
    });
    await new Promise<void>((done) => inside.listen(0, "127.0.0.1", done));
    const address = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/x.png`;
    const places = await Promise.all([address, movedTo(address)].map(placeOfPicture));
    for (const place of places) expect([(await fetch(place)).status, fetched]).toEqual([502, 0]);
    expect((await fetch(`${world.relayUrl}/mj/image/17`)).status).toBe(404);
    inside.close();
  });

  it("follows a redirect to an image, but no endless redirects and none to another kind of address", async () => {
    const forEver = `${first.url}/a.png?moved-to=${encodeURIComponent("?moved-to=%3Fmoved-to%3D%253Fmoved-to%253D%25253F")}`;
    const addresses = [movedTo("/img/moved.png"), forEver, movedTo("file:///etc/passwd"), movedTo("http://[")];
    const [moved = "", ...lost] = await Promise.all(addresses.map(placeOfPicture));
    const answer = await fetch(moved);
    expect([answer.status, Buffer.from(await answer.arrayBuffer())]).toEqual([200, PICTURE]);
    for (const place of lost) expect((await fetch(place)).status).toBe(502);
  });
});

describe("forbidden words", () => {
  it("blocks an image or music task before any upstream, at no cost, and reports it in the caller's format", async () => {
    const who = await person();
    const [drawings, songs] = [first.submissions().length, music.submissions().length];
    const drawing = await who.call("POST", "/mj/submit/imagine", { prompt: "a TEST_sensitive cat" });
    expect(drawing).toMatchObject({ status: 400, body: { code: 24, type: "turnpike_error" } });
    const song = await who.call("POST", "/suno/submit/music", { title: "test_sensitive" }, bearer(who));
    expect(song).toMatchObject({ status: 400, body: { code: "sensitive_words_detected", data: null } });
    expect([first.submissions().length, music.submissions().length]).toEqual([drawings, songs]);
    expect([await balanceOf(who), (await drawn(who)).total]).toEqual([START, 0]);
  });
});

describe("failed image task", () => {
  it("is refunded once, to the user and the token, however often it is polled", async () => {
    const who = await person();
    const drawings = await Promise.all(Array.from({ length: 6 }, () => imagine(who)));
    await within(() => balanceOf(who)).toBe(START - 6 * IMAGINE);
    for (const id of drawings) first.tell(id, { status: "FAILURE", progress: "100%", failReason: "banned prompt" });
    await within(async () => (await refundsOf(who)).total).toBe(6);
    await Promise.all(drawings.map((id) => who.call("POST", "/mj/notify", { id })));
    const polls = first.polls().length;
    const last = await imagine(who);
    // Both relays have polled it again by then.
    await within(async () => first.polls().length).toBeGreaterThan(polls + 3);
    first.tell(last, { status: "SUCCESS", progress: "100%" });
    await within(statusOf(who, last)).toBe("SUCCESS");
    expect(await refundsOf(who)).toMatchObject({ total: 6, amount: 6 * IMAGINE });
    expect([await balanceOf(who), await leftOf(who)]).toEqual([START - IMAGINE, START - IMAGINE]);
    const system = (await rowsOf(who, 4)).items.filter(({ content }) => content.includes("退还"));
    expect(system.map(({ quota }) => quota)).toEqual(Array.from({ length: 6 }, () => IMAGINE));
    const failed = (await drawn(who)).items.filter(({ status }) => status === "FAILURE");
    expect(failed.map((row) => row["refunded_quota"])).toEqual(Array.from({ length: 6 }, () => IMAGINE));
    expect(await checkBooks()).toContain("all figures agree");
  });

  it("is refunded once though relays and billing die meanwhile, and re-enables the token that it exhausted", async () => {
    const who = await person(START, { remain_quota: 3 * IMAGINE });
    const drawings = [await imagine(who), await imagine(who), await imagine(who)];
    await within(() => leftOf(who)).toBe(0);
    await within(async () => (await who.call("POST", "/mj/submit/imagine", { prompt: "x" })).status).toBe(401);
    for (const id of drawings) first.tell(id, { status: "FAILURE", failReason: "no" });
    world.kill("billing");
    world.kill("relay");
    world.kill("relay-1");
    await world.waitReady();
    await expect.poll(async () => (await refundsOf(who)).total, { timeout: 60_000, interval: 200 }).toBe(3);
    expect([await balanceOf(who), await leftOf(who)]).toEqual([START, 3 * IMAGINE]);
    await within(async () => (await who.call("POST", "/mj/submit/imagine", { prompt: "again" })).status).toBe(200);
    expect(await checkBooks()).toContain("all figures agree");
  }, 120_000);

  it("is polled with its original key although its channel was deleted", async () => {
    const doomed = await startFakeTasks();
    await connect("doomed", { type: 2, base_url: doomed.url, models: "mj_describe", priority: 50 });
    const who = await person();
    await within(async () => {
      const asked = await who.call("POST", "/mj/submit/describe", { base64: "x" });
      return doomed.submissions().length > 0 ? asked.body["code"] : undefined;
    }).toBe(1);
    const id = [...(await drawn(who)).items][0]?.["mj_id"] as string;
    await shop.root.delete(`/api/channel/${ids["doomed"]}/`);
    doomed.tell(id, { status: "FAILURE", failReason: "no" });
    await within(async () => (await refundsOf(who)).total).toBe(1);
    expect(doomed.polls().at(-1)?.headers["mj-api-secret"]).toBe("up-doomed");
    await doomed.stop();
  });
});

describe("music task", () => {
  const submit = (who: Person, action: string, body: unknown) =>
    who.call("POST", `/suno/submit/${action}`, body, { authorization: `Bearer ${who.key}` });
  const fetchOne = (who: Person, id: string) =>
    who.call("GET", `/suno/fetch/${id}`, undefined, { authorization: `Bearer ${who.key}` });

  it("is charged, followed and listed", async () => {
    const who = await person();
    const answer = await submit(who, "music", { gpt_description_prompt: "rain" });
    const id = String(answer.body["data"]);
    expect(answer).toMatchObject({ status: 200, body: { code: "success" } });
    expect(music.submissions().at(-1)).toMatchObject({ path: "/suno/submit/music", body: { mv: "chirp-v3-0" } });
    expect(music.submissions().at(-1)?.headers.authorization).toBe("Bearer up-song");
    music.tell(id, { status: "SUCCESS", progress: "100%", finish_time: 1_700_000_000, data: [{ id: "clip" }] });
    await within(async () => (await fetchOne(who, id)).body["data"]).toMatchObject({
      task_id: id,
      action: "MUSIC",
      status: "SUCCESS",
      finish_time: 1_700_000_000,
      data: [{ id: "clip" }],
    });
    const both = await who.call("POST", "/suno/fetch", { ids: [id, "x"] }, { authorization: `Bearer ${who.key}` });
    expect(both.body["data"]).toHaveLength(1);
    await submit(who, "lyrics", { prompt: "rain" });
    await within(() => balanceOf(who)).toBe(START - 50_000 - 5_000);
    const more = await submit(who, "music", { prompt: "more", task_id: id, continue_clip_id: "clip" });
    expect(more.body["code"]).toBe("success");
    const own = await who.client.get<{ items: object[] }>("/api/task/self", { paged: true, task_id: id });
    expect(own.items).toMatchObject([{ task_id: id, platform: "suno", action: "MUSIC", channel_id: 0 }]);
    const all = await shop.root.get<{ items: object[] }>("/api/task/", { paged: true, channel_id: ids["song"] ?? 0 });
    expect(all.items[0]).toMatchObject({ platform: "suno", channel_id: ids["song"] });
  });

  it("is refunded if it fails, and costs nothing if refused", async () => {
    const who = await person();
    const id = String((await submit(who, "music", { prompt: "rain" })).body["data"]);
    music.tell(id, { status: "FAILURE", fail_reason: "no" });
    await within(async () => (await refundsOf(who)).total).toBe(1);
    expect(await balanceOf(who)).toBe(START);
    music.answerNext({ code: "quota_exceeded", message: "no credits", data: null });
    const refused = await submit(who, "music", { prompt: "rain" });
    expect(refused).toMatchObject({ status: 502, body: { code: "quota_exceeded", message: /no credits/, data: null } });
    for (const [action, body] of [
      ["video", {}],
      ["lyrics", {}],
      ["music", { continue_clip_id: "clip" }],
    ] as const)
      expect(await submit(who, action, body)).toMatchObject({
        status: 400,
        body: { code: "invalid_request", data: null },
      });
    expect((await fetchOne(who, "none")).status).toBe(400);
    await within(() => isSettled(world)).toBe(true);
    expect(await refundsOf(who)).toMatchObject({ total: 1, amount: 50_000 });
    expect(await checkBooks()).toContain("all figures agree");
  });
});
