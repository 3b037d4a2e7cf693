import type { CreateMessageRequest } from "@turnpike/proto/messaging/v1/inbox_service";
import { auditRecorded } from "@turnpike/shared/events/auth";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { DEREGISTERED, USERS } from "./fake-auth.ts";
import { actor, admin, startMessagingWorld, type World } from "./messaging-world.ts";

const form: CreateMessageRequest = {
  title: "Hello",
  content: "**Maintenance** on Sunday",
  format: "",
  userIds: [2, 3],
};

describe("messages over gRPC", () => {
  let world: World;
  const audit: unknown[] = [];
  beforeAll(async () => {
    world = await startMessagingWorld();
    world.bus.listen(auditRecorded, (row) => void audit.push(row));
    await world.nats.flush();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    await world.mongo.collection("messages").deleteMany({});
    await world.mongo.collection("message_receipts").deleteMany({});
    Object.assign(world.auth, { calls: 0, isAway: false });
    audit.length = 0;
  });

  const code = (expected: string) => expect.objectContaining({ code: expected }) as unknown;
  const send = async (over: Partial<CreateMessageRequest> = {}) => {
    const { message } = await world.inbox.createMessage({ ...form, ...over }, admin);
    if (!message) throw new Error("no message");
    return message;
  };
  const getInbox = (userId: number, page = 1, pageSize = 10) =>
    world.inbox.listInbox({ userId, page, pageSize }, actor(userId));
  const getUnread = async (userId: number) => (await world.inbox.countUnread({ userId }, actor(userId))).unreadCount;
  const all = (keyword = "") =>
    world.inbox.listMessages({ page: 1, pageSize: 10, keyword, startSeconds: 0, endSeconds: 0 }, admin);

  it("reaches each recipient once, however often they are named, and no other user", async () => {
    const message = await send({ userIds: [3, 2, 3, 2] });
    expect(message).toMatchObject({ format: "markdown", createdBy: 1, totalRecipients: 2, readCount: 0 });
    expect((await getInbox(2)).items).toMatchObject([
      { message: { id: message.id, title: "Hello", content: form.content, totalRecipients: 0 }, readAtSeconds: 0 },
    ]);
    expect((await getInbox(3)).total).toBe(1);
    expect(await getInbox(4)).toEqual({ items: [], total: 0 });
  });

  it("counts unread messages, and each reading once", async () => {
    const [first, second] = [await send(), await send()];
    expect(await getUnread(2)).toBe(2);
    await world.inbox.markRead({ userId: 2, messageId: first.id }, actor(2));
    const readAt = (await getInbox(2)).items[1]?.readAtSeconds;
    await world.inbox.markRead({ userId: 2, messageId: first.id }, actor(2));
    expect(await getUnread(2)).toBe(1);
    expect(readAt).toBeGreaterThan(1_700_000_000);
    expect((await getInbox(2)).items.map((item) => item.readAtSeconds)).toEqual([0, readAt]);
    expect((await all()).items.map(({ id, readCount, totalRecipients }) => [id, readCount, totalRecipients])).toEqual([
      [second.id, 0, 2],
      [first.id, 1, 2],
    ]);
  });

  it("returns pages newest first, a hundred at most", async () => {
    const made = [await send({ title: "one" }), await send({ title: "two" }), await send({ title: "three" })];
    expect((await getInbox(2, 2, 2)).items.map(({ message }) => message?.title)).toEqual(["one"]);
    expect((await getInbox(2, 1, 2)).items.map(({ message }) => message?.id)).toEqual([made[2]?.id, made[1]?.id]);
    expect((await getInbox(2, 0, 5_000)).total).toBe(3);
  });

  it("finds messages by title or text", async () => {
    await send({ title: "Prices (new)" });
    await send({ content: "all about PRICES" });
    await send();
    expect((await all("prices")).total).toBe(2);
    expect((await all(" (NEW ")).total).toBe(1);
    expect((await all("nothing")).items).toEqual([]);
  });

  it("removes a deleted message for every recipient", async () => {
    const { id } = await send();
    await world.inbox.deleteMessage({ id }, admin);
    expect([(await getInbox(2)).total, await getUnread(3), (await all()).total]).toEqual([0, 0, 0]);
    await expect(world.inbox.deleteMessage({ id }, admin)).rejects.toEqual(code("message_not_found"));
    await expect(world.inbox.markRead({ userId: 2, messageId: id }, actor(2))).rejects.toEqual(
      code("message_not_found"),
    );
  });

  it.each<[string, Partial<CreateMessageRequest>]>([
    ["message_title_required", { title: "  " }],
    ["message_content_required", { content: "\n" }],
    ["message_recipients_required", { userIds: [] }],
    ["message_format_unsupported", { format: "bbcode" }],
    ["message_content_unsafe", { format: "html", content: "<script>alert(1)</script>" }],
    ["text_too_long", { title: "x".repeat(256) }],
    ["message_recipient_unknown", { userIds: [2, 9_999] }],
  ])("refuses %s and sends nothing", async (expected, over) => {
    await expect(send(over)).rejects.toEqual(code(expected));
    expect((await all()).total).toBe(0);
  });

  it("reports recipients that do not exist or are deregistered", async () => {
    await expect(send({ userIds: [2, 777, DEREGISTERED, 888] })).rejects.toMatchObject({
      params: { ids: `777, ${DEREGISTERED}, 888` },
    });
  });

  it("sends auth only a few requests, however many recipients there are", async () => {
    const recipients = Array.from({ length: USERS }, (_, index) => index + 1).filter((id) => id !== DEREGISTERED);
    expect((await send({ userIds: recipients })).totalRecipients).toBe(USERS - 1);
    expect(world.auth.calls).toBe(1);
    expect(await world.mongo.collection("message_receipts").countDocuments()).toBe(USERS - 1);
  });

  it("sends nothing without validation while auth is down, and still shows existing messages", async () => {
    await send();
    world.auth.isAway = true;
    await expect(send()).rejects.toEqual(code("unavailable"));
    expect((await getInbox(2)).total).toBe(1);
  });

  it("shows an inbox to its owner only, and restricts sending to admins", async () => {
    const { id } = await send();
    await expect(world.inbox.listInbox({ userId: 2, page: 1, pageSize: 10 }, actor(3))).rejects.toEqual(
      code("permission_denied"),
    );
    await expect(world.inbox.markRead({ userId: 2, messageId: id }, admin)).rejects.toEqual(code("permission_denied"));
    await expect(world.inbox.countUnread({ userId: 2 })).rejects.toEqual(code("unauthenticated"));
    await expect(world.inbox.createMessage(form, actor(2))).rejects.toEqual(code("permission_denied"));
    await expect(world.inbox.deleteMessage({ id }, actor(2))).rejects.toEqual(code("permission_denied"));
  });

  it("writes sent and deleted messages to the audit log", async () => {
    const { id } = await send();
    await world.inbox.deleteMessage({ id }, admin);
    const facts = `{"title":"Hello","format":"markdown","recipients":2}`;
    await vi.waitFor(() =>
      expect(audit).toMatchObject([
        { action: "message.create", target: `message:${id}`, actorId: 1, before: "", after: facts },
        { action: "message.delete", target: `message:${id}`, before: facts, after: "" },
      ]),
    );
  });

  it("reads inboxes and counts by index", async () => {
    const receipts = world.mongo.collection("message_receipts");
    const old = Array.from({ length: 300 }, (_, index) => ({ userId: 2, messageId: index, readAtSeconds: index && 9 }));
    await receipts.insertMany(old);
    const stage = async (filter: object, sort: Record<string, 1 | -1>): Promise<string> =>
      JSON.stringify((await receipts.find(filter).sort(sort).explain("queryPlanner"))["queryPlanner"]["winningPlan"]);
    expect(await stage({ userId: 2 }, { messageId: -1 })).toContain("inbox_newest_first");
    expect(await stage({ userId: 2, readAtSeconds: 0 }, {})).toContain("count_unread");
    expect(await stage({ messageId: 2, readAtSeconds: { $gt: 0 } }, {})).toContain("count_reads_of_message");
  });
});
