import { connectMongo } from "@turnpike/shared/mongo/mongo";
import type { Connection } from "mongoose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFakeUpstream, type FakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { openTestSite, type TestSite, type TestUser } from "../../lib/test-site.ts";
import { checkSettledLedger } from "../../lib/ledger-check.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { startWorld, type World } from "../../lib/world.ts";

let world: World;
let upstream: FakeUpstream;
let testSite: TestSite;
let user: TestUser;
let connection: Connection;
let key: string;

const call = (bearer: string): Promise<Response> =>
  fetch(`${world.relayUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "in-g", messages: [{ role: "user", content: "hello" }] }),
  });

async function charge(bearer: string): Promise<number> {
  const response = await call(bearer);
  await response.text();
  expect(response.status).toBe(200);
  return (await testSite.readLogRow(response.headers.get("x-request-id") ?? "")).quota;
}

const send = (method: "POST" | "PUT", path: string, body: object) => testSite.root.call(method, path, { body });
const setRatios = (ratios: object) => send("PUT", "/api/option/", { key: "GroupRatio", value: JSON.stringify(ratios) });
const setGroup = (group: string) =>
  send("PUT", "/api/user/", { id: user.id, username: user.username, display_name: "Gina", group });
const setChannel = (name: string, group: string) =>
  send("POST", "/api/channel/", { type: 1, name, key: "k", base_url: upstream.url, models: "in-g", group });

const RATIOS = { default: 1, vip: 1, svip: 1 };

beforeAll(async () => {
  upstream = await startFakeUpstream();
  world = await startWorld({ backing: testBacking(), env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
  testSite = await openTestSite(world, upstream.url);
  connection = await connectMongo(world.mongodbUrl);
  await testSite.root.put("/api/option/", { key: "ModelRatio", value: JSON.stringify({ "in-g": 1 }) });
  expect(await setRatios({ ...RATIOS, g: 3, h: 2 })).toMatchObject({ success: true });
  user = await testSite.createUser(1_000_000);
  expect(await setGroup("g")).toMatchObject({ success: true });
  expect(await setChannel("g", "g,vip")).toMatchObject({ success: true });
  ({ key } = await testSite.token({ unlimited_quota: true }, user.client));
  upstream.always({}, { text: "Fine.", usage: { inputTokens: 400, outputTokens: 100 } });
  await testSite.eventually("the group's price", 10_000, async () =>
    (await call(key)).status === 200 ? true : undefined,
  );
}, 120_000);
afterAll(async () => {
  await connection?.close();
  await world.stop();
  await upstream.stop();
});
afterAll(() => checkSettledLedger(world), 60_000);

describe("group that does not exist", () => {
  it.each([
    ["a user", () => setGroup("nowhere")],
    ["a new channel", () => setChannel("lost", "default,nowhere")],
    ["a channel", () => send("PUT", "/api/channel/", { id: testSite.channelIds["openai"], group: "nowhere" })],
    [
      "the groups that users may choose",
      () => send("PUT", "/api/option/", { key: "UserUsableGroups", value: '{"nowhere":"?"}' }),
    ],
    ["the place of another", () => send("POST", "/api/group/move", { from: "g", to: "nowhere" })],
  ])("is refused for %s", async (_, change) => {
    expect(await change()).toMatchObject({ success: false, code: "group_unknown", params: { group: "nowhere" } });
  });
});

describe("group with a user, a channel and a token", () => {
  it("keeps its ratio until all are moved, whichever way it would be removed", async () => {
    const { id } = await testSite.token({ group: "g", name: "in g", unlimited_quota: true }, user.client);
    const held = {
      success: false,
      code: "group_in_use",
      params: { group: "g", users: "1", tokens: "1", channels: "1" },
    };
    expect(await setRatios({ ...RATIOS, h: 2 })).toMatchObject(held);
    const batch = [{ key: "GroupRatio", value: JSON.stringify(RATIOS) }];
    expect(await send("PUT", "/api/option/batch", { options: batch })).toMatchObject(held);
    const removed = { changes: [{ key: "GroupRatio", remove: ["g"] }] };
    expect(await send("PUT", "/api/option/prices", removed)).toMatchObject(held);
    const reset = { changes: [{ key: "GroupRatio", reset: true }] };
    expect(await send("PUT", "/api/option/prices", reset)).toMatchObject(held);
    const ratioOfG = (await charge(key)) / 3;

    expect(await testSite.root.post("/api/group/move", { from: "g", to: "h" })).toEqual({
      users: 1,
      tokens: 1,
      channels: 1,
      left: 0,
    });
    expect(await setRatios({ ...RATIOS, h: 2 })).toMatchObject({ success: true });
    expect(await user.client.get(`/api/token/${id}`)).toMatchObject({ group: "h" });
    expect(await testSite.root.get("/api/channel/search", { keyword: "g", group: "h" })).toMatchObject([
      { group: "h,vip" },
    ]);
    // Relays hear of the moves within a second.
    await testSite.eventually("the new price", 10_000, async () =>
      (await charge(key)) === ratioOfG * 2 ? true : undefined,
    );
  });
});

describe("call of a user whose group has no ratio", () => {
  it("is refused, not sold at ratio 1", async () => {
    // As an import or an earlier version may have left it.
    const left = await testSite.createUser(1_000_000);
    const { modifiedCount } = await connection
      .collection<{ _id: number }>("users")
      .updateOne({ _id: left.id }, { $set: { group: "left" } });
    expect(modifiedCount).toBe(1);
    const { key: bearer } = await testSite.token({ unlimited_quota: true }, left.client);
    const response = await call(bearer);
    expect([response.status, await response.json()]).toMatchObject([
      403,
      { error: { message: expect.stringContaining("group left has no ratio") as string } },
    ]);
  });
});
