import { ImageTask, ImageTaskPage, GenericTask, GenericTaskPage } from "@turnpike/contract/api/task";
import { Task } from "@turnpike/proto/billing/v1/task_service";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type GatewayWorld, startGatewayWorld } from "./gateway-world.ts";

const TASK = Task.fromPartial({
  id: 4,
  platform: "mj",
  action: "IMAGINE",
  upstreamId: "1320 9",
  userId: 7,
  username: "ada",
  quota: 50_000,
  prompt: "a cat",
  createdAtMs: 1_700_000_000_500,
  account: { channelId: 12 },
  state: {
    status: "SUCCESS",
    progress: "100%",
    imageUrl: "https://cdn.example/a.png",
    dataJson: '[{"id":1}]',
    code: 1,
  },
});

let world: GatewayWorld;
beforeAll(async () => {
  world = await startGatewayWorld();
});
afterAll(() => world?.stop());
beforeEach(() => {
  world.fakes.tasks.listTasks = async () => ({ items: [TASK], total: 31 });
});

describe("image task list", () => {
  it("returns the caller's own tasks, whichever user is named, as an array with its total in a header", async () => {
    const response = await world.call("GET", "/api/mj/self/?channel_id=12&mj_id=1320&p=2", { as: "ada" });
    const [row] = z.array(ImageTask).parse(response.body.data);
    expect(row).toMatchObject({
      mj_id: "1320 9",
      channel_id: 0,
      image_url: "/mj/image/1320%209",
      created_at: 1_700_000_000,
    });
    expect(response.headers.get("x-total-count")).toBe("31");
    expect(world.last("listTasks")?.request).toMatchObject({
      userId: 7,
      channelId: 0,
      upstreamId: "1320",
      platform: "mj",
      page: 2,
      pageSize: 10,
    });
  });

  it("returns all tasks to admins, with channels, times in milliseconds", async () => {
    const query = "channel_id=12&start_timestamp=1700000000000&end_timestamp=1700000009000&paged=true&page_size=20";
    const response = await world.call("GET", `/api/mj/?${query}`, { as: "admin" });
    expect(ImageTaskPage.parse(response.body.data)).toMatchObject({
      page: 0,
      page_size: 20,
      total: 31,
      items: [{ channel_id: 12 }],
    });
    expect(world.last("listTasks")?.request).toMatchObject({
      userId: 0,
      channelId: 12,
      startMs: 1_700_000_000_000,
      endMs: 1_700_000_009_000,
    });
    expect((await world.call("GET", "/api/mj", { as: "ada" })).status).toBe(403);
    expect((await world.call("GET", "/api/mj/self", {})).status).toBe(401);
  });
});

describe("task list", () => {
  it.each(["start_timestamp=45607295528895", "start_timestamp=-39420499874975", "end_timestamp=45607295528895"])(
    "accepts a time beyond any date: %s",
    async (query) => {
      const response = await world.call("GET", `/api/task/self?${query}`, { as: "ada" });
      expect(response.status).toBe(200);
      const sent = z.object({ startMs: z.number(), endMs: z.number() }).parse(world.last("listTasks")?.request);
      expect(Math.max(Math.abs(sent.startMs), sent.endMs)).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
    },
  );

  it("returns the caller's own tasks without channels, times in seconds", async () => {
    const response = await world.call("GET", "/api/task/self?task_id=ab&start_timestamp=5&end_timestamp=9", {
      as: "ada",
    });
    const [row] = z.array(GenericTask).parse(response.body.data);
    expect(row).toMatchObject({ channel_id: 0, properties: { input: "a cat" }, data: [{ id: 1 }] });
    expect(world.last("listTasks")?.request).toMatchObject({
      userId: 7,
      upstreamId: "ab",
      platform: "suno",
      startMs: 5_000,
      endMs: 9_999,
    });
  });

  it("returns all tasks to admins, by channel, action and status", async () => {
    const query = "channel_id=12&action=MUSIC&status=FAILURE&platform=suno&paged=true";
    const response = await world.call("GET", `/api/task/?${query}`, { as: "admin" });
    expect(GenericTaskPage.parse(response.body.data)).toMatchObject({ items: [{ channel_id: 12 }] });
    expect(world.last("listTasks")?.request).toMatchObject({
      channelId: 12,
      action: "MUSIC",
      status: "FAILURE",
      userId: 0,
    });
    expect((await world.call("GET", "/api/task/", { as: "ada" })).status).toBe(403);
  });
});
