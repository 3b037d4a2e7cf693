import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { admin, type ChannelWorld, commoner, startChannelWorld } from "./channel-world.ts";

const KEY = "sk-admin-of-the-organization-42ab";

describe("report key of a channel", () => {
  let world: ChannelWorld;
  beforeAll(async () => {
    world = await startChannelWorld();
  });
  afterAll(() => world.stop());
  const account = (id: number) => world.reports.getReportAccount({ id }, admin);

  it("is stored sealed, shown by its last characters only, and sent to the channel's own address", async () => {
    const { id } = await world.create({ baseUrl: "https://gateway.example" });
    expect(await account(id)).toMatchObject({ isSupported: true, hint: "", channelIds: [] });
    expect(await world.reports.setReportKey({ id, key: ` ${KEY} ` }, admin)).toEqual({ hint: "42ab" });
    const stored = JSON.stringify(await world.mongo.collection("channels").findOne({ _id: id as never }));
    expect(stored).not.toContain(KEY);
    expect(stored).toContain("reportKey");
    expect(JSON.stringify(await world.find(id))).not.toContain("42ab");
    await vi.waitFor(() => expect(JSON.stringify(world.heard.audit)).toContain("report_key_hint"));
    expect(JSON.stringify(world.heard.audit)).not.toContain(KEY);
    await world.reports.fetchReport({ id, daySeconds: 86_400 });
    expect(world.relay.reports.at(-1)).toEqual({
      type: 1,
      baseUrl: "https://gateway.example",
      key: KEY,
      proxy: "",
      daySeconds: 86_400,
    });
  });

  it("identifies one account where several channels share it", async () => {
    const [one, other] = [await world.create(), await world.create()];
    for (const { id } of [one, other]) await world.reports.setReportKey({ id, key: "shared-key" }, admin);
    expect((await account(other.id)).channelIds).toEqual([one.id, other.id]);
    expect((await world.reports.fetchReport({ id: other.id, daySeconds: 0 })).channelIds).toEqual([one.id, other.id]);
    const { ids } = await world.reports.listReportChannels({});
    expect(ids).toContain(one.id);
    expect(ids).not.toContain(other.id);
  });

  it("is removed by an empty one, and required to fetch a report", async () => {
    const { id } = await world.create();
    await world.reports.setReportKey({ id, key: KEY }, admin);
    await world.reports.setReportKey({ id, key: "" }, admin);
    expect(await account(id)).toMatchObject({ hint: "", channelIds: [] });
    await expect(world.reports.fetchReport({ id, daySeconds: 0 })).rejects.toMatchObject({
      code: "report_key_missing",
    });
  });

  it("is refused for a provider without reports, for a user, and when it is too long", async () => {
    const { id } = await world.create({ type: 3, baseUrl: "https://azure.example", other: "2024-06-01" });
    expect((await account(id)).isSupported).toBe(false);
    await expect(world.reports.setReportKey({ id, key: KEY }, admin)).rejects.toMatchObject({
      code: "report_unsupported",
    });
    const { id: own } = await world.create();
    await expect(world.reports.setReportKey({ id: own, key: "x".repeat(513) }, admin)).rejects.toMatchObject({
      code: "text_too_long",
    });
    await expect(world.reports.setReportKey({ id: own, key: KEY }, commoner)).rejects.toMatchObject({
      code: "permission_denied",
    });
    await expect(world.reports.getReportAccount({ id: own }, commoner)).rejects.toMatchObject({
      code: "permission_denied",
    });
    await expect(world.reports.fetchReport({ id: own, daySeconds: 0 }, commoner)).rejects.toMatchObject({
      code: "permission_denied",
    });
  });
});
