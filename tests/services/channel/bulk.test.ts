import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { admin, type ChannelWorld, code, commoner, form, startChannelWorld } from "./channel-world.ts";

const page = { page: 0, pageSize: 10, idSort: false, keyword: "", group: "", model: "", tagMode: true };
const noEdit = { tag: "eu", modelMapping: "", models: "", groups: "" };

describe("bulk channel changes", () => {
  let world: ChannelWorld;
  beforeAll(async () => {
    world = await startChannelWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    await world.mongo.collection("channels").deleteMany({});
    world.heard.audit.length = 0;
  });
  const left = async () => {
    const docs = await world.mongo.collection("channels").find().sort({ _id: 1 }).toArray();
    return docs.map((doc) => Number(doc._id));
  };
  const revision = async () => (await world.snapshot()).revision;

  it("deletes by ids in one change of the routing table and ignores missing ids", async () => {
    const [a, b, c] = [await world.create(), await world.create(), await world.create()];
    const before = await revision();
    world.heard.changed.length = 0;
    expect(await world.bulk.deleteChannels({ ids: [a.id, c.id, 99_999_999, a.id] }, admin)).toEqual({ count: 2 });
    expect(await left()).toEqual([b.id]);
    expect(await revision()).toBe(before + 1);
    await vi.waitFor(() => expect(world.heard.changed).toEqual([{ revision: before + 1, channelId: 0 }]));
    await vi.waitFor(async () => {
      const waiting = await world.mongo.collection("audit_outbox").countDocuments({ action: "channel.delete" });
      expect(waiting + world.heard.audit.filter(({ action }) => action === "channel.delete").length).toBe(2);
    });
    const reported = JSON.stringify([world.heard.audit, await world.mongo.collection("audit_outbox").find().toArray()]);
    expect(reported).not.toContain("sk-main");
  });

  it("deletes channels disabled by admins or the system, and no others", async () => {
    const [on, off, unfit] = [await world.create(), await world.create({ status: 2 }), await world.create()];
    await world.mongo.collection<{ _id: number }>("channels").updateOne({ _id: unfit.id }, { $set: { status: 3 } });
    expect(await world.bulk.deleteDisabledChannels({}, admin)).toEqual({ count: 2 });
    expect(await left()).toEqual([on.id]);
    expect(off.id).not.toBe(on.id);
    expect(await world.bulk.deleteDisabledChannels({}, admin)).toEqual({ count: 0 });
  });

  it("accepts two thousand at a time, in order, in one change of the routing table", async () => {
    const { id } = await world.create({ status: 2 });
    const doc = await world.mongo.collection("channels").findOne();
    const copies = Array.from({ length: 2_000 }, (_, index) => ({ ...doc, _id: 1_000_000 + index, tag: "many" }));
    await world.mongo.collection("channels").insertMany(copies as never[]);
    const before = await revision();
    const slow = { ...admin, timeoutMs: 30_000 };
    expect(await world.bulk.switchTag({ tag: "many", enabled: true }, slow)).toEqual({ count: 2_000 });
    expect(await world.bulk.switchTag({ tag: "many", enabled: false }, slow)).toEqual({ count: 2_000 });
    expect(await world.bulk.deleteDisabledChannels({}, slow)).toEqual({ count: 2_000 });
    expect(await left()).toEqual([1_001_999]);
    expect(id).toBeLessThan(1_000_000);
    expect(await revision()).toBe(before + 3);
  }, 60_000);

  it("applies all concurrent changes, each with its own revision", async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => world.create()));
    const before = await revision();
    const calls = made.map(({ id }, index) =>
      world.bulk.tagChannels({ ids: [id], tag: `t${index}` }, { ...admin, timeoutMs: 30_000 }),
    );
    expect(await Promise.all(calls)).toEqual(made.map(() => ({ count: 1 })));
    expect(await revision()).toBe(before + 6);
  });

  it("sets and removes a tag", async () => {
    const [a, b] = [await world.create({ tag: "us" }), await world.create()];
    expect(await world.bulk.tagChannels({ ids: [a.id, b.id], tag: " eu " }, admin)).toEqual({ count: 2 });
    expect([(await world.find(a.id)).tag, (await world.find(b.id)).tag]).toEqual(["eu", "eu"]);
    expect(await world.bulk.tagChannels({ ids: [a.id, b.id], tag: "eu" }, admin)).toEqual({ count: 0 });
    expect(await world.bulk.tagChannels({ ids: [a.id], tag: undefined }, admin)).toEqual({ count: 1 });
    expect((await world.find(a.id)).tag).toBe("");
  });

  it("edits all channels of a tag and ignores empty fields", async () => {
    const [a, b] = [await world.create({ tag: "eu" }), await world.create({ tag: "us" })];
    const edit = { ...noEdit, newTag: "west", priority: 7, weight: 0, groups: "vip,default" };
    expect(await world.bulk.editTag(edit, admin)).toEqual({ count: 1 });
    expect(await world.find(a.id)).toMatchObject({ tag: "west", priority: 7, group: "vip,default", models: a.models });
    expect(await world.find(b.id)).toEqual(b);
    expect(await world.bulk.editTag({ ...noEdit, tag: "west", newTag: "" }, admin)).toEqual({ count: 1 });
    expect((await world.find(a.id)).tag).toBe("");
  });

  it("changes nothing if one of the channels would become invalid", async () => {
    const [a, b] = [await world.create({ tag: "eu" }), await world.create({ tag: "eu" })];
    const before = await revision();
    const wrong = { ...noEdit, priority: 3, modelMapping: "{" };
    await expect(world.bulk.editTag(wrong, admin)).rejects.toEqual(code("channel_json_invalid"));
    expect(await Promise.all([world.find(a.id), world.find(b.id)])).toEqual([a, b]);
    expect(await revision()).toBe(before);
  });

  it("disables and enables a tag, which re-enables keys", async () => {
    const [a, b] = [await world.create({ tag: "eu" }), await world.create({ tag: "eu", status: 2 })];
    expect(await world.bulk.switchTag({ tag: "eu", enabled: false }, admin)).toEqual({ count: 1 });
    await world.mongo
      .collection<{ _id: number }>("channels")
      .updateOne({ _id: a.id }, { $set: { status: 3, statusReason: "x", "keys.0.disabledAtSeconds": 5 } });
    expect(await world.bulk.switchTag({ tag: "eu", enabled: true }, admin)).toEqual({ count: 2 });
    const { channels } = await world.snapshot();
    expect(channels.map(({ channel }) => channel?.id)).toEqual([a.id, b.id]);
    expect((await world.find(a.id)).otherInfo).toBe("");
  });

  it("repairs what breaks a rule of the store, and always makes relays fetch the table", async () => {
    const { id } = await world.create();
    const before = await revision();
    expect(await world.bulk.fixChannels({}, admin)).toEqual({ count: 0 });
    expect(await revision()).toBe(before + 1);
    const broken = { models: ["a", " a", ""], groups: [], "keys.0.disabledAtSeconds": 5 };
    await world.mongo.collection<{ _id: number }>("channels").updateOne({ _id: id }, { $set: broken });
    expect(await world.bulk.fixChannels({}, admin)).toEqual({ count: 1 });
    expect(await world.find(id)).toMatchObject({ models: "a", group: "default", status: 3 });
    expect(await world.bulk.fixChannels({}, admin)).toEqual({ count: 0 });
  });

  it.each([
    ["channel_selection_required", () => world.bulk.deleteChannels({ ids: [] }, admin)],
    ["channel_tag_selection_required", () => world.bulk.tagChannels({ ids: [], tag: "eu" }, admin)],
    ["channel_tag_required", () => world.bulk.tagChannels({ ids: [1], tag: " " }, admin)],
    ["channel_tag_required", () => world.bulk.switchTag({ tag: "", enabled: true }, admin)],
    ["channel_tag_not_found", () => world.bulk.switchTag({ tag: "nobody", enabled: true }, admin)],
    ["channel_tag_unchanged", () => world.bulk.editTag(noEdit, admin)],
    ["channel_too_many", () => world.bulk.deleteChannels({ ids: Array.from({ length: 2_001 }, (_, i) => i) }, admin)],
    ["permission_denied", () => world.bulk.deleteDisabledChannels({}, commoner)],
    ["unauthenticated", () => world.bulk.fixChannels({})],
  ])("is refused with %s", async (expected, run) => {
    await expect(run()).rejects.toEqual(code(expected));
  });

  it("pages over tags, each with all its channels", async () => {
    const a = await world.create({ tag: "eu", priority: 1 });
    const b = await world.create({ tag: "eu", priority: 2, name: "special" });
    const c = await world.create({ tag: "us" });
    await world.create();
    const list = async (over: Partial<typeof page> = {}) => {
      const { items, total } = await world.client.listChannels({ ...page, ...over }, admin);
      return { ids: items.map(({ id }) => id), total };
    };
    expect(await list()).toEqual({ ids: [b.id, a.id, c.id], total: 2 });
    expect(await list({ page: 1, pageSize: 1 })).toEqual({ ids: [c.id], total: 2 });
    expect(await list({ keyword: "special" })).toEqual({ ids: [b.id, a.id], total: 1 });
  });

  it("copies a channel with its keys without revealing them", async () => {
    const source = await world.create({ tag: "eu", key: "sk-one-1111,sk-two-2222", weight: 4 });
    const requested = { input: { name: "copy", key: "", status: 3 }, copyFrom: source.id };
    const { channel } = await world.client.createChannel(requested, admin);
    expect(channel).toMatchObject({ name: "copy", tag: "eu", weight: 4, keyCount: 2, keyHint: "1111", status: 2 });
    expect(channel?.id).not.toBe(source.id);
    const missing = world.client.createChannel({ input: { ...form, key: "" }, copyFrom: 99_999_999 }, admin);
    await expect(missing).rejects.toEqual(code("channel_not_found"));
  });
});
