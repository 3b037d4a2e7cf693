import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { admin, type ChannelWorld, code, commoner, form, startChannelWorld } from "./channel-world.ts";

const page = { page: 0, pageSize: 10, idSort: false, keyword: "", group: "", model: "", tagMode: false };
type StoredKey = { box: string; lookupHash: string };

describe("channels over gRPC", () => {
  let world: ChannelWorld;
  beforeAll(async () => {
    world = await startChannelWorld();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.mongo.collection("channels").deleteMany({}));

  const ids = async (over: Partial<typeof page> = {}): Promise<number[]> =>
    (await world.client.listChannels({ ...page, ...over }, admin)).items.map(({ id }) => id);

  it("returns a new channel with its defaults, and never its key", async () => {
    const made = await world.create({ key: "sk-first-aaaa\nsk-second-bbbb, sk-third-cccc" });
    expect(made).toMatchObject({ keyHint: "aaaa", keyCount: 3, status: 1, autoBan: 1, group: "default", priority: 0 });
    const responses = JSON.stringify([made, await world.find(made.id), await world.client.listChannels(page, admin)]);
    expect(responses).not.toMatch(/sk-|first|second|third/);
  });

  it("stores keys encrypted", async () => {
    await world.create();
    const stored = await world.mongo.collection("channels").findOne();
    expect(JSON.stringify(stored)).not.toContain("sk-main");
    expect(stored?.["keys"]).toMatchObject([{ lookupHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string }]);
  });

  it("lists the channels of one tag", async () => {
    const [first, second] = [await world.create({ tag: "eu" }), await world.create({ tag: "eu-2" })];
    await world.create();
    const { items, total } = await world.client.listChannels({ ...page, tag: "eu" }, admin);
    expect([items.map(({ id }) => id), total]).toEqual([[first.id], 1]);
    expect(await ids()).toContain(second.id);
  });

  it("assigns increasing numbers and never reuses one", async () => {
    const [first, second] = [await world.create(), await world.create()];
    await world.client.deleteChannel({ id: second.id }, admin);
    const third = await world.create();
    expect([second.id - first.id, third.id - second.id]).toEqual([1, 1]);
  });

  it.each([
    ["channel_name_and_key_required", { ...form, key: " ,\n" }],
    ["channel_name_and_key_required", { ...form, name: undefined }],
    ["channel_models_required", { ...form, models: "" }],
    ["channel_type_unsupported", { ...form, type: 9_998 }],
    ["channel_json_invalid", { ...form, setting: "{" }],
    ["channel_json_invalid", { ...form, type: 41, other: "{bad" }],
    ["channel_mapping_invalid", { ...form, type: 41, other: '{"gemini-2.0-flash":"us-central1"}' }],
    ["channel_mapping_invalid", { ...form, type: 41, other: '{"default":7}' }],
    ["channel_base_url_required", { ...form, type: 8 }],
    ["channel_status_invalid", { ...form, status: 3 }],
  ])("refuses an invalid form with %s", async (expected, input) => {
    await expect(world.client.createChannel({ input, copyFrom: 0 }, admin)).rejects.toEqual(code(expected));
    expect(await ids()).toEqual([]);
  });

  it("changes only the fields of an edit, and keeps the key if it is empty", async () => {
    const made = await world.create({ tag: "eu" });
    const { channel } = await world.client.updateChannel({ id: made.id, input: { name: "other", key: "" } }, admin);
    expect(channel).toEqual({ ...made, name: "other" });
    expect((await world.snapshot()).channels[0]?.keys).toEqual(["sk-main-1234"]);
    await world.client.updateChannel({ id: made.id, input: { key: "sk-new-5678" } }, admin);
    expect((await world.snapshot()).channels[0]?.keys).toEqual(["sk-new-5678"]);
  });

  it("leaves a channel unchanged if an edit is refused", async () => {
    const made = await world.create();
    const input = { name: "other", modelMapping: "[]" };
    await expect(world.client.updateChannel({ id: made.id, input }, admin)).rejects.toEqual(
      code("channel_json_invalid"),
    );
    expect(await world.find(made.id)).toEqual(made);
  });

  it("applies both of two concurrent edits", async () => {
    const { id } = await world.create();
    const edits = Array.from({ length: 8 }, (_, index) =>
      world.client.updateChannel({ id, input: index % 2 === 0 ? { weight: index } : { priority: index } }, admin),
    );
    await Promise.all(edits);
    const { weight, priority } = await world.find(id);
    expect([weight % 2, priority % 2]).toEqual([0, 1]);
  });

  it("orders by priority and then by age, or by age only", async () => {
    const [a, b, c] = [
      await world.create({ priority: 1 }),
      await world.create({ priority: 5 }),
      await world.create({ priority: 1 }),
    ];
    expect(await ids()).toEqual([b.id, c.id, a.id]);
    expect(await ids({ idSort: true })).toEqual([c.id, b.id, a.id]);
    expect(await ids({ page: 1, pageSize: 2 })).toEqual([a.id]);
    expect((await world.client.listChannels({ ...page, pageSize: 1 }, admin)).total).toBe(3);
  });

  it("lists channels with exactly the searched name or id first, however many names contain it", async () => {
    const exact = await world.create({ name: "Seed7", priority: 0 });
    const same = await world.create({ name: "seed7", priority: 0 });
    for (let index = 0; index < 12; index++)
      // oxlint-disable-next-line no-await-in-loop -- the exact names are the oldest
      await world.create({ name: `seed7${index}`, priority: 9 });
    expect((await ids({ keyword: "seed7" })).slice(0, 2)).toEqual([same.id, exact.id]);
    expect((await ids({ keyword: String(exact.id) }))[0]).toBe(exact.id);
    expect(await ids({ keyword: "$name" })).toEqual([]);
    const second = await ids({ keyword: "seed7", page: 1 });
    expect(second).toHaveLength(4);
    expect(second).not.toContain(exact.id);
  });

  it("finds by id, part of the name, complete key, group and model", async () => {
    const a = await world.create({ name: "Azure (EU)", group: "vip", models: "claude-3" });
    const b = await world.create({ name: "plain", key: "sk-one-1111,sk-two-2222" });
    expect(await ids({ keyword: String(a.id) })).toContain(a.id);
    expect(await ids({ keyword: "(eu" })).toEqual([a.id]);
    expect(await ids({ keyword: " sk-two-2222 " })).toEqual([b.id]);
    expect(await ids({ keyword: "sk-two" })).toEqual([]);
    expect(await ids({ group: "vip" })).toEqual([a.id]);
    expect(await ids({ model: "4o-MINI" })).toEqual([b.id]);
    expect(await ids({ group: "vip", model: "gpt" })).toEqual([]);
  });

  it("never returns more than a hundred at once", async () => {
    await world.create();
    const [doc] = await world.mongo.collection("channels").find().toArray();
    const copies = Array.from({ length: 120 }, (_, index) => ({ ...doc, _id: 1_000_000 + index }));
    await world.mongo.collection("channels").insertMany(copies as never[]);
    expect(await ids({ pageSize: 5_000 })).toHaveLength(100);
    expect(await ids({ pageSize: 0 })).toHaveLength(10);
  });

  it("reads its lists and keys by index", async () => {
    await world.create();
    const collection = world.mongo.collection("channels");
    const stage = async (filter: object, sort: Record<string, 1 | -1>): Promise<string> =>
      JSON.stringify((await collection.find(filter).sort(sort).explain("queryPlanner"))["queryPlanner"]["winningPlan"]);
    expect(await stage({}, { priority: -1, _id: -1 })).toContain("list_by_priority");
    expect(await stage({ groups: "default" }, { priority: -1, _id: -1 })).toContain("list_of_group_by_priority");
    expect(await stage({ status: 1 }, { _id: 1 })).not.toContain("COLLSCAN");
    expect(await stage({ "keys.lookupHash": "x" }, {})).toContain("find_by_key");
  });

  it("returns channel_not_found for unknown ids", async () => {
    const missing = { id: 99_999_999 };
    await expect(world.client.findChannel(missing, admin)).rejects.toEqual(code("channel_not_found"));
    await expect(world.client.deleteChannel(missing, admin)).rejects.toEqual(code("channel_not_found"));
    await expect(world.client.updateChannel({ ...missing, input: {} }, admin)).rejects.toEqual(
      code("channel_not_found"),
    );
  });

  it("serves admins only, and shows keys to no user", async () => {
    const input = form;
    await expect(world.client.createChannel({ input, copyFrom: 0 }, commoner)).rejects.toEqual(
      code("permission_denied"),
    );
    await expect(world.client.createChannel({ input, copyFrom: 0 })).rejects.toEqual(code("unauthenticated"));
    await expect(world.client.listChannels(page, commoner)).rejects.toEqual(code("permission_denied"));
    await expect(world.client.testChannel({ id: 1, model: "" }, commoner)).rejects.toEqual(code("permission_denied"));
    await expect(world.client.getRoutingSnapshot({}, admin)).rejects.toEqual(code("permission_denied"));
  });

  it("writes its actions to the audit log, without keys", async () => {
    const before = world.heard.audit.length;
    const { id } = await world.create({ setting: `{"proxy":"http://me:secret@10.0.0.1"}` });
    await world.client.updateChannel({ id, input: { weight: 4, key: "sk-other-9999" } }, admin);
    await world.client.updateChannel({ id, input: { weight: 4 } }, admin);
    await world.client.updateChannel({ id, input: { status: 2 } }, admin);
    await world.client.updateChannel({ id, input: { status: 1 } }, admin);
    await world.client.deleteChannel({ id }, admin);
    await vi.waitFor(() => expect(world.heard.audit.length - before).toBe(5));
    const rows = world.heard.audit.slice(before);
    expect(rows.map(({ action }) => action)).toEqual([
      "channel.create",
      "channel.update",
      "channel.disable",
      "channel.enable",
      "channel.delete",
    ]);
    expect(rows[1]).toMatchObject({
      actorId: 1,
      actorName: "root",
      target: `channel:${id}`,
      address: "192.0.2.7",
      before: `{"key_hint":"1234","weight":0}`,
      after: `{"key_hint":"9999","weight":4,"key":"replaced"}`,
    });
    expect(JSON.stringify(rows)).not.toMatch(/sk-|secret/);
  });

  it("can find and decrypt a key with its stored form only", async () => {
    await world.create({ key: "sk-a-1111,sk-b-2222" });
    const stored = await world.mongo.collection<{ keys: StoredKey[] }>("channels").findOne();
    expect(new Set(stored?.keys.map(({ lookupHash }) => lookupHash)).size).toBe(2);
    expect((await world.snapshot()).channels[0]?.keys).toEqual(["sk-a-1111", "sk-b-2222"]);
  });
});
