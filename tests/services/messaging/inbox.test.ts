import { AuthServiceClient, type AuthServiceServer, AuthServiceService } from "@turnpike/proto/auth/v1/auth_service";
import {
  type CreateMessageRequest,
  InboxServiceClient,
  type InboxServiceServer,
  InboxServiceService,
} from "@turnpike/proto/messaging/v1/inbox_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { auditRecorded } from "@turnpike/shared/events/auth";
import { connectNats, createBus } from "@turnpike/shared/events/bus";
import { createGrpcClient } from "@turnpike/shared/grpc/client";
import type { Actor } from "@turnpike/shared/grpc/context";
import { createGrpcServer, type Handlers } from "@turnpike/shared/grpc/server";
import { createLogger } from "@turnpike/shared/log/log";
import { migrateModels } from "@turnpike/shared/mongo/migrate-models";
import { connectMongo } from "@turnpike/shared/mongo/mongo";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createMessaging } from "../../../services/messaging/src/messaging.ts";
import { testBacking } from "../../lib/test-backing.ts";
import { user } from "../gateway/fake-services.ts";

const INTERNAL_SECRET = "a secret of the tests";
const log = createLogger("messaging-test", "silent");
const to = (port: number) => ({ address: `127.0.0.1:${port}`, internalSecret: INTERNAL_SECRET });
const actor = (userId: number, role = 1): { actor: Actor } => ({
  actor: { userId, username: `user${userId}`, role, address: "192.0.2.7" },
});
const admin = actor(1, 10);
const form: CreateMessageRequest = {
  title: "Hello",
  content: "**Maintenance** on Sunday",
  format: "",
  userIds: [2, 3],
};
const USERS = 250;
const DEREGISTERED = 9;

/** Auth as messaging sees it: users 1 to 250, of whom the ninth is deregistered. It counts its calls and may be away. */
async function startAuth() {
  const state = { calls: 0, isAway: false };
  const known = (id: number) => user({ id, deletedAtSeconds: id === DEREGISTERED ? 5 : 0 });
  const answer = <Answer>(value: () => Answer): Promise<Answer> => {
    state.calls++;
    return state.isAway ? Promise.reject(new AppError("unavailable", "away")) : Promise.resolve().then(value);
  };
  const handlers: Pick<Handlers<AuthServiceServer>, "getUser" | "listUsers"> = {
    getUser: ({ id }) =>
      answer(() => {
        if (id < 1 || id > USERS) throw new AppError("user_not_found", "no such user");
        return { user: known(id) };
      }),
    listUsers: ({ page, pageSize }) =>
      answer(() => {
        const ids = Array.from({ length: USERS }, (_, index) => USERS - index);
        return { items: ids.slice((page - 1) * pageSize, page * pageSize).map(known), total: USERS };
      }),
  };
  const never = () => Promise.reject(new AppError("internal", "not part of these tests"));
  const others = Object.fromEntries(Object.keys(AuthServiceService).map((rpc) => [rpc, never]));
  const server = createGrpcServer({ log, internalSecret: INTERNAL_SECRET });
  server.add(AuthServiceService, { ...others, ...handlers } as unknown as Handlers<AuthServiceServer>);
  return Object.assign(state, await server.listen("127.0.0.1", 0));
}

async function startMessagingWorld() {
  const backing = testBacking();
  const authServer = await startAuth();
  const mongo = await connectMongo(backing.mongodbUrl);
  const nats = await connectNats({ url: backing.natsUrl, name: "messaging-test", log });
  const bus = createBus({ nats, source: "messaging", namespace: backing.namespace, log });
  const auth = createGrpcClient<AuthServiceServer>(AuthServiceClient, to(authServer.port));
  const messaging = createMessaging({ mongo, bus, auth, nowSeconds: () => Math.floor(Date.now() / 1000) });
  await migrateModels(mongo, "messaging");
  const server = createGrpcServer({ log, internalSecret: INTERNAL_SECRET });
  server.add(InboxServiceService, messaging.handlers);
  const listening = await server.listen("127.0.0.1", 0);
  const client = createGrpcClient<InboxServiceServer>(InboxServiceClient, to(listening.port));
  const audit: unknown[] = [];
  bus.listen(auditRecorded, (row) => void audit.push(row));
  await nats.flush();
  const stop = async (): Promise<void> => {
    client.close();
    await listening.stop();
    auth.close();
    await authServer.stop();
    await nats.close();
    await mongo.close();
  };
  return { client, mongo, auth: authServer, audit, stop };
}

describe("messages over gRPC", () => {
  let world: Awaited<ReturnType<typeof startMessagingWorld>>;
  beforeAll(async () => {
    world = await startMessagingWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    await world.mongo.collection("messages").deleteMany({});
    await world.mongo.collection("message_receipts").deleteMany({});
    Object.assign(world.auth, { calls: 0, isAway: false });
    world.audit.length = 0;
  });

  const code = (expected: string) => expect.objectContaining({ code: expected }) as unknown;
  const send = async (over: Partial<CreateMessageRequest> = {}) => {
    const { message } = await world.client.createMessage({ ...form, ...over }, admin);
    if (!message) throw new Error("no message");
    return message;
  };
  const inboxOf = (userId: number, page = 1, pageSize = 10) =>
    world.client.listInbox({ userId, page, pageSize }, actor(userId));
  const unreadOf = async (userId: number) => (await world.client.countUnread({ userId }, actor(userId))).unreadCount;
  const all = (keyword = "") => world.client.listMessages({ page: 1, pageSize: 10, keyword }, admin);

  it("reaches each recipient once, however often they are named, and nobody else", async () => {
    const message = await send({ userIds: [3, 2, 3, 2] });
    expect(message).toMatchObject({ format: "markdown", createdBy: 1, totalRecipients: 2, readCount: 0 });
    expect((await inboxOf(2)).items).toMatchObject([
      { message: { id: message.id, title: "Hello", content: form.content, totalRecipients: 0 }, readAtSeconds: 0 },
    ]);
    expect((await inboxOf(3)).total).toBe(1);
    expect(await inboxOf(4)).toEqual({ items: [], total: 0 });
  });

  it("counts what is unread, and each reading once", async () => {
    const [first, second] = [await send(), await send()];
    expect(await unreadOf(2)).toBe(2);
    await world.client.markRead({ userId: 2, messageId: first.id }, actor(2));
    const readAt = (await inboxOf(2)).items[1]?.readAtSeconds;
    await world.client.markRead({ userId: 2, messageId: first.id }, actor(2));
    expect(await unreadOf(2)).toBe(1);
    expect(readAt).toBeGreaterThan(1_700_000_000);
    expect((await inboxOf(2)).items.map((item) => item.readAtSeconds)).toEqual([0, readAt]);
    expect((await all()).items.map(({ id, readCount, totalRecipients }) => [id, readCount, totalRecipients])).toEqual([
      [second.id, 0, 2],
      [first.id, 1, 2],
    ]);
  });

  it("pages newest first, a hundred at most", async () => {
    const made = [await send({ title: "one" }), await send({ title: "two" }), await send({ title: "three" })];
    expect((await inboxOf(2, 2, 2)).items.map(({ message }) => message?.title)).toEqual(["one"]);
    expect((await inboxOf(2, 1, 2)).items.map(({ message }) => message?.id)).toEqual([made[2]?.id, made[1]?.id]);
    expect((await inboxOf(2, 0, 5_000)).total).toBe(3);
  });

  it("finds messages by what title or text contains", async () => {
    await send({ title: "Prices (new)" });
    await send({ content: "all about PRICES" });
    await send();
    expect((await all("prices")).total).toBe(2);
    expect((await all(" (NEW ")).total).toBe(1);
    expect((await all("nothing")).items).toEqual([]);
  });

  it("is gone for everybody once it is deleted", async () => {
    const { id } = await send();
    await world.client.deleteMessage({ id }, admin);
    expect([(await inboxOf(2)).total, await unreadOf(3), (await all()).total]).toEqual([0, 0, 0]);
    await expect(world.client.deleteMessage({ id }, admin)).rejects.toEqual(code("message_not_found"));
    await expect(world.client.markRead({ userId: 2, messageId: id }, actor(2))).rejects.toEqual(
      code("message_not_found"),
    );
  });

  it.each<[string, Partial<CreateMessageRequest>]>([
    ["message_title_required", { title: "  " }],
    ["message_content_required", { content: "\n" }],
    ["message_recipients_required", { userIds: [] }],
    ["message_format_unsupported", { format: "html" }],
    ["text_too_long", { title: "x".repeat(256) }],
    ["message_recipient_unknown", { userIds: [2, 9_999] }],
  ])("refuses with %s and sends nothing", async (expected, over) => {
    await expect(send(over)).rejects.toEqual(code(expected));
    expect((await all()).total).toBe(0);
  });

  it("names the recipients that do not exist or are deregistered", async () => {
    await expect(send({ userIds: [2, 777, DEREGISTERED, 888] })).rejects.toMatchObject({
      params: { ids: `777, ${DEREGISTERED}, 888` },
    });
  });

  it("asks auth a few times only, however many are written to", async () => {
    const everybody = Array.from({ length: USERS }, (_, index) => index + 1).filter((id) => id !== DEREGISTERED);
    expect((await send({ userIds: everybody })).totalRecipients).toBe(USERS - 1);
    expect(world.auth.calls).toBe(3);
    expect(await world.mongo.collection("message_receipts").countDocuments()).toBe(USERS - 1);
  });

  it("sends nothing unchecked while auth is away, and still shows what is there", async () => {
    await send();
    world.auth.isAway = true;
    await expect(send()).rejects.toEqual(code("unavailable"));
    expect((await inboxOf(2)).total).toBe(1);
  });

  it("shows an inbox to its owner only, and leaves sending to admins", async () => {
    const { id } = await send();
    await expect(world.client.listInbox({ userId: 2, page: 1, pageSize: 10 }, actor(3))).rejects.toEqual(
      code("permission_denied"),
    );
    await expect(world.client.markRead({ userId: 2, messageId: id }, admin)).rejects.toEqual(code("permission_denied"));
    await expect(world.client.countUnread({ userId: 2 })).rejects.toEqual(code("unauthenticated"));
    await expect(world.client.createMessage(form, actor(2))).rejects.toEqual(code("permission_denied"));
    await expect(world.client.deleteMessage({ id }, actor(2))).rejects.toEqual(code("permission_denied"));
  });

  it("tells the audit log of messages sent and deleted", async () => {
    const { id } = await send();
    await world.client.deleteMessage({ id }, admin);
    const facts = `{"title":"Hello","format":"markdown","recipients":2}`;
    await vi.waitFor(() =>
      expect(world.audit).toMatchObject([
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
