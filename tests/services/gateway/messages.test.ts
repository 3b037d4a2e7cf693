import {
  AdminMessage,
  AdminMessageDetail,
  AdminMessagePage,
  InboxMessageDetail,
  MessageRecipient,
} from "@turnpike/contract/api/message";
import { TestWebhookResult } from "@turnpike/contract/api/notify";
import type { Message } from "@turnpike/proto/messaging/v1/inbox_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { startGatewayWorld } from "./gateway-world.ts";

type World = Awaited<ReturnType<typeof startGatewayWorld>>;

const message: Message = {
  id: 5,
  title: "Hello",
  content: "**Sunday**",
  format: "markdown",
  preview: "Sunday",
  contentHtml: "<p><strong>Sunday</strong></p>",
  createdAtSeconds: 1_700_000_000,
  updatedAtSeconds: 1_700_000_100,
  createdBy: 2,
  totalRecipients: 3,
  readCount: 1,
};
const form = { title: " Hello ", content: "**Sunday**", user_ids: [2, "3"] };

describe("messages over HTTP", () => {
  let world: World;
  beforeAll(async () => {
    world = await startGatewayWorld();
    const { fakes } = world;
    fakes.inbox = {
      createMessage: async () => ({ message }),
      updateMessage: async () => ({ message }),
      getMessage: async () => ({ message }),
      deleteMessage: async () => ({}),
      listMessages: async () => ({ items: [message], total: 11 }),
      previewMessage: async () => ({ html: "<p>x</p>" }),
      getInboxMessage: async () => ({ item: { message, readAtSeconds: 0 } }),
      listRecipients: async () => ({
        items: [
          { userId: 2, username: "ada", displayName: "Ada", readAtSeconds: 1_700_000_200 },
          { userId: 3, username: "", displayName: "", readAtSeconds: 0 },
        ],
        total: 2,
      }),
    };
    fakes.mail = { sendTestMail: async () => ({}) };
    fakes.webhooks = { testWebhook: async () => ({ status: 204, durationMs: 12 }) };
  });
  afterAll(() => world.stop());

  it.each(["/api/admin/messages/5", "/api/admin/messages/5/"])("returns one message at %s", async (path) => {
    const response = await world.call("GET", path, { as: "admin" });
    expect(z.strictObject(AdminMessageDetail.shape).parse(response.body.data)).toMatchObject({
      id: 5,
      updated_at: 1_700_000_100,
      content_html: "<p><strong>Sunday</strong></p>",
      stats: { total_recipients: 3, read_count: 1, unread_count: 2, read_rate: 33.3 },
    });
  });

  it("hides the admin fields of a message from its reader", async () => {
    const response = await world.call("GET", "/api/user/messages/5", { as: "ada" });
    expect(z.strictObject(InboxMessageDetail.shape).parse(response.body.data)).toMatchObject({
      is_read: false,
      read_at: null,
    });
    expect(world.lastRequest("getInboxMessage")).toEqual({ userId: 7, messageId: 5 });
  });

  it("creates and edits messages from trimmed forms", async () => {
    const made = await world.call("POST", "/api/admin/messages/", { as: "admin", body: form });
    expect(z.strictObject(AdminMessage.shape).parse(made.body.data).id).toBe(5);
    const text = { title: "Hello", content: "**Sunday**", format: "markdown" };
    expect(world.lastRequest("createMessage")).toEqual({ ...text, userIds: [2, 3] });
    await world.call("PUT", "/api/admin/messages/5", { as: "admin", body: { ...form, format: "html" } });
    expect(world.lastRequest("updateMessage")).toEqual({ ...text, format: "html", id: 5 });
  });

  it.each([
    ["start_date=2023-11-14&end_date=2023-11-14", 1_699_920_000, 1_700_006_399],
    ["start_date=1700000000", 1_700_000_000, 0],
    ["", 0, 0],
  ])("searches with %s", async (dates, startSeconds, endSeconds) => {
    const response = await world.call("GET", `/api/admin/messages/search?keyword=hi&p=2&page_size=5&${dates}`, {
      as: "admin",
    });
    expect(AdminMessagePage.parse(response.body.data)).toMatchObject({ page: 2, page_size: 5, total: 11 });
    expect(world.lastRequest("listMessages")).toEqual({
      keyword: "hi",
      page: 2,
      pageSize: 5,
      startSeconds,
      endSeconds,
    });
  });

  it("refuses invalid dates", async () => {
    const response = await world.call("GET", "/api/admin/messages/search?start_date=soon", { as: "admin" });
    expect([response.status, response.body.code]).toEqual([200, "date_range_invalid"]);
  });

  it("returns all recipients to clients without paging, and pages to clients with paging", async () => {
    const plain = await world.call("GET", "/api/admin/messages/5/recipients", { as: "admin" });
    expect(plain.headers.get("x-total-count")).toBe("2");
    expect(z.strictObject(MessageRecipient.shape).array().parse(plain.body.data)).toEqual([
      { user_id: 2, username: "ada", display_name: "Ada", read_at: 1_700_000_200 },
      { user_id: 3, username: "", display_name: "", read_at: null },
    ]);
    expect(world.lastRequest("listRecipients")).toMatchObject({ messageId: 5, pageSize: 0, read: "" });
    const paged = await world.call("GET", "/api/admin/messages/5/recipients?paged=true&p=3&read=unread", {
      as: "admin",
    });
    expect(paged.body.data).toMatchObject({ page: 3, page_size: 10, total: 2 });
    expect(world.lastRequest("listRecipients")).toMatchObject({ page: 3, pageSize: 10, read: "unread" });
  });

  it("previews a text", async () => {
    const body = { content: "x", format: "html" };
    const response = await world.call("POST", "/api/admin/messages/preview", { as: "admin", body });
    expect(response.body).toEqual({ success: true, message: "", data: { html: "<p>x</p>" } });
  });

  it("sends test mails and test webhooks", async () => {
    expect(
      (await world.call("POST", "/api/option/test_mail", { as: "admin", body: { to: " a@b.c " } })).body.success,
    ).toBe(true);
    expect(world.lastRequest("sendTestMail")).toEqual({ to: "a@b.c" });
    const body = { webhook_url: "https://a.example/", webhook_secret: "s" };
    const response = await world.call("POST", "/api/user/webhook/test/", { as: "ada", body });
    expect(z.strictObject(TestWebhookResult.shape).parse(response.body.data)).toEqual({ status: 204, duration_ms: 12 });
    expect(world.lastRequest("testWebhook")).toEqual({ userId: 7, url: "https://a.example/", secret: "s" });
  });

  it("returns the mail server's message", async () => {
    world.fakes.mail.sendTestMail = async () => {
      throw new AppError("mail_send_failed", "x", { params: { detail: "535 no" } });
    };
    const response = await world.call("POST", "/api/option/test_mail", { as: "admin", body: { to: "a@b.c" } });
    expect(response.body).toMatchObject({
      success: false,
      code: "mail_send_failed",
      message: "The mail could not be sent: 535 no",
    });
  });

  it.each([
    ["GET", "/api/admin/messages/search"],
    ["GET", "/api/admin/messages/5"],
    ["GET", "/api/admin/messages/5/recipients"],
    ["POST", "/api/admin/messages/preview"],
    ["PUT", "/api/admin/messages/5"],
    ["POST", "/api/option/test_mail"],
  ])("restricts %s %s to admins", async (method, path) => {
    const body = method === "GET" ? undefined : {};
    expect((await world.call(method, path, { as: "ada", body })).status).toBe(403);
    expect((await world.call(method, path, { body })).status).toBe(401);
  });

  it.each([
    ["GET", "/api/user/messages/5"],
    ["POST", "/api/user/webhook/test"],
  ])("requires a signed-in user for %s %s", async (method, path) => {
    expect((await world.call(method, path, { body: method === "GET" ? undefined : {} })).status).toBe(401);
  });

  it("refuses requests sent by another site", async () => {
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    const response = await world.call("POST", "/api/admin/messages/", { as: "admin", headers, body: form });
    expect([response.status, response.body.code]).toEqual([403, "cross_site_refused"]);
  });
});
