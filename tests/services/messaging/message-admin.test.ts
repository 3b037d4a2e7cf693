import { auditRecorded } from "@turnpike/shared/events/auth";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { DEREGISTERED } from "./fake-auth.ts";
import { actor, admin, startMessagingWorld, type World } from "./messaging-world.ts";

describe("message administration", () => {
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
    world.auth.isAway = false;
    audit.length = 0;
  });

  const code = (expected: string) => expect.objectContaining({ code: expected }) as unknown;
  const send = async (over: object = {}) => {
    const requested = { title: "Hello", content: "**Sunday**", format: "", userIds: [2, 3], ...over };
    const { message } = await world.inbox.createMessage(requested, admin);
    if (!message) throw new Error("no message");
    return message;
  };
  const read = (userId: number, messageId: number) => world.inbox.markRead({ userId, messageId }, actor(userId));
  const recipients = (messageId: number, over: object = {}) =>
    world.inbox.listRecipients({ messageId, page: 1, pageSize: 0, read: "", ...over }, admin);

  it("shows one message with the HTML its readers see", async () => {
    const { id } = await send();
    const { message } = await world.inbox.getMessage({ id }, admin);
    expect(message).toMatchObject({
      content: "**Sunday**",
      preview: "Sunday",
      contentHtml: "<p><strong>Sunday</strong></p>\n",
      totalRecipients: 2,
    });
    const mine = await world.inbox.getInboxMessage({ userId: 2, messageId: id }, actor(2));
    expect(mine.item).toMatchObject({ readAtSeconds: 0, message: { contentHtml: message?.contentHtml, createdBy: 0 } });
  });

  it("changes a message for every recipient and keeps who has read it", async () => {
    const { id } = await send();
    await read(2, id);
    const edited = await world.inbox.updateMessage(
      { id, title: " New ", content: "<p>Monday<script>x</script></p>", format: "html" },
      admin,
    );
    expect(edited.message).toMatchObject({ title: "New", content: "<p>Monday</p>", format: "html", readCount: 1 });
    const { item } = await world.inbox.getInboxMessage({ userId: 2, messageId: id }, actor(2));
    expect(item).toMatchObject({ message: { title: "New", preview: "Monday" } });
    expect(item?.readAtSeconds).toBeGreaterThan(0);
    await vi.waitFor(() =>
      expect(audit).toContainEqual(
        expect.objectContaining({
          action: "message.update",
          target: `message:${id}`,
          before: `{"title":"Hello","format":"markdown","recipients":2}`,
          after: `{"title":"New","format":"html","recipients":2}`,
        }),
      ),
    );
  });

  it.each([
    ["message_title_required", { title: " " }],
    ["message_content_required", { content: "" }],
    ["message_content_unsafe", { format: "html", content: "<style>*{}</style>" }],
    ["message_not_found", { id: 999_999 }],
  ])("refuses an edit with %s and changes nothing", async (expected, over) => {
    const { id } = await send();
    await expect(
      world.inbox.updateMessage({ id, title: "New", content: "New", format: "", ...over }, admin),
    ).rejects.toEqual(code(expected));
    expect((await world.inbox.getMessage({ id }, admin)).message?.title).toBe("Hello");
  });

  it("finds messages by send time, both ends included", async () => {
    const made = [await send({ title: "one" }), await send({ title: "two" }), await send({ title: "three" })];
    const messages = world.mongo.collection("messages");
    for (const [index, { id }] of made.entries())
      await messages.updateOne({ _id: id as never }, { $set: { createdAtSeconds: 1_000 + index * 100 } });
    const find = async (startSeconds: number, endSeconds: number, keyword = "") => {
      const page = { page: 1, pageSize: 10, keyword, startSeconds, endSeconds };
      return (await world.inbox.listMessages(page, admin)).items.map(({ title }) => title);
    };
    expect(await find(1_100, 1_200)).toEqual(["three", "two"]);
    expect(await find(0, 1_100)).toEqual(["two", "one"]);
    expect(await find(1_101, 0)).toEqual(["three"]);
    expect(await find(1_000, 1_200, "TW")).toEqual(["two"]);
    expect(await find(5_000, 0)).toEqual([]);
  });

  it("lists recipients with their names and when they read it", async () => {
    const { id } = await send({ userIds: [4, 2, 3] });
    await read(3, id);
    const { items, total } = await recipients(id);
    expect(total).toBe(3);
    expect(items).toMatchObject([
      { userId: 2, username: "user2", displayName: "User 2", readAtSeconds: 0 },
      { userId: 3, username: "user3" },
      { userId: 4, readAtSeconds: 0 },
    ]);
    expect(items[1]?.readAtSeconds).toBeGreaterThan(0);
    expect((await recipients(id, { read: "read" })).items.map(({ userId }) => userId)).toEqual([3]);
    expect(await recipients(id, { read: "unread", page: 2, pageSize: 1 })).toMatchObject({
      items: [{ userId: 4 }],
      total: 2,
    });
    await expect(recipients(999_999)).rejects.toEqual(code("message_not_found"));
  });

  it("lists a recipient that no longer exists without a name", async () => {
    const { id } = await send();
    await world.mongo.collection("message_receipts").insertOne({ userId: 9_999, messageId: id, readAtSeconds: 0 });
    expect((await recipients(id)).items.at(-1)).toMatchObject({ userId: 9_999, username: "", displayName: "" });
    expect(DEREGISTERED).toBe(9);
  });

  it("previews what readers would see", async () => {
    const preview = (content: string, format: string) => world.inbox.previewMessage({ content, format }, admin);
    expect(await preview("# Hi <img src=x onerror=alert(1)>", "markdown")).toEqual({ html: "<h1>Hi </h1>\n" });
    expect(await preview("<b onclick=alert(1)>Hi</b>", "html")).toEqual({ html: "<b>Hi</b>" });
    await expect(preview("x", "bbcode")).rejects.toEqual(code("message_format_unsupported"));
  });

  it("restricts all of this to admins, and a user's message to that user", async () => {
    const { id } = await send();
    const user = actor(2);
    const calls = [
      () => world.inbox.getMessage({ id }, user),
      () => world.inbox.updateMessage({ id, title: "x", content: "x", format: "" }, user),
      () => world.inbox.listRecipients({ messageId: id, page: 1, pageSize: 0, read: "" }, user),
      () => world.inbox.previewMessage({ content: "x", format: "" }, user),
      () => world.inbox.getInboxMessage({ userId: 3, messageId: id }, user),
    ];
    for (const call of calls) await expect(call()).rejects.toEqual(code("permission_denied"));
    await expect(world.inbox.getInboxMessage({ userId: 4, messageId: id }, actor(4))).rejects.toEqual(
      code("message_not_found"),
    );
  });
});
