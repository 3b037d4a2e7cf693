import type { SendMailRequest } from "@turnpike/proto/messaging/v1/mail_service";
import { makeCertificate, type TestCertificate } from "../../lib/network/test-certificate.ts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { actor, admin, startMessagingWorld, type World } from "./messaging-world.ts";
import { type SmtpDouble, startSmtp } from "./smtp-double.ts";

const PASSWORD = "smtp-pass-word";
const code = (expected: string) => expect.objectContaining({ code: expected }) as unknown;
const soon = { timeout: 10_000 };

describe("mail", () => {
  let world: World;
  let smtp: SmtpDouble;
  const others: SmtpDouble[] = [];
  let certificate: TestCertificate;
  beforeAll(async () => {
    certificate = await makeCertificate();
    world = await startMessagingWorld();
    world.messaging.queues.start();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    await world.mongo.collection("deliveries").deleteMany({});
    smtp = await startSmtp({ ...certificate });
    Object.assign(world.auth, { isAway: false, secrets: { SMTPToken: PASSWORD } });
    use({});
  });
  afterEach(async () => {
    for (const server of [smtp, ...others.splice(0)]) await server.stop();
  });

  const use = (options: object): void =>
    world.setOptions({
      SMTPServer: "127.0.0.1",
      SMTPPort: String(smtp.port),
      SMTPAccount: "mailer",
      SMTPFrom: "noreply@site.example",
      SystemName: "Site <b>",
      ...options,
    });
  const request: SendMailRequest = {
    to: "ada@mail.example",
    template: "verification_code",
    language: "en",
    params: { code: "A1B2C3", minutes: "10" },
    idempotencyKey: "",
  };
  const send = (over: Partial<SendMailRequest> = {}) => world.mail.sendMail({ ...request, ...over });
  const rows = () => world.mongo.collection("deliveries").find().toArray();
  const settled = async (status: string) => {
    await vi.waitFor(async () => expect((await rows()).map((row) => row["status"])).toEqual([status]), soon);
    const [row] = await rows();
    return row as unknown as { attempts: number; lastError: string; box?: string };
  };

  it("arrives as text and safe HTML, from the site's name and address", async () => {
    await send();
    await vi.waitFor(() => expect(smtp.received).toHaveLength(1), soon);
    const [{ to, mail } = { to: [], mail: undefined }] = smtp.received;
    expect(to).toEqual(["ada@mail.example"]);
    expect(mail).toMatchObject({
      from: { name: "Site <b>", address: "noreply@site.example" },
      subject: "Site <b> verification code",
    });
    expect(mail?.text).toContain("A1B2C3");
    expect(mail?.html).toContain("A1B2C3");
    expect(mail?.html).toContain("Site &lt;b&gt;");
    expect(mail?.html).not.toContain("Site <b>");
    expect(smtp.signIns).toMatchObject([{ user: "mailer" }]);
  });

  it.each([
    ["zh", "邮箱验证码"],
    ["en", "verification code"],
    ["fr", "邮箱验证码"],
  ])("has, in %s, the subject %s", async (language, subject) => {
    await send({ language });
    await vi.waitFor(
      () => expect(smtp.received.map(({ mail }) => mail.subject)).toEqual([`Site <b> ${subject}`]),
      soon,
    );
  });

  it("shows values as literal text, and links to web addresses only", async () => {
    const link = 'https://site.example/user/reset?email=a%40b.c&token=t"><script>';
    await send({ template: "password_reset", params: { link, minutes: "10" } });
    await send({ template: "password_reset", params: { link: "javascript:alert(1)", minutes: "10" } });
    await vi.waitFor(() => expect(smtp.received).toHaveLength(2), soon);
    for (const { mail } of smtp.received) expect(mail.html).not.toMatch(/<script|href="javascript/);
    expect(smtp.received.map(({ mail }) => mail.text).join()).toContain(link);
  });

  it("is queued encrypted, and deleted once it is sent", async () => {
    smtp.failures = 3;
    await send();
    await vi.waitFor(async () => expect((await rows())[0]?.["attempts"]).toBeGreaterThan(0), soon);
    expect(JSON.stringify(await rows())).not.toMatch(/A1B2C3|ada@mail/);
    expect(await settled("sent")).not.toHaveProperty("box");
  });

  it("is retried after a failure, and arrives once", async () => {
    smtp.failures = 2;
    await send();
    expect((await settled("sent")).attempts).toBe(3);
    expect(smtp.received).toHaveLength(1);
  });

  it("waits while the server is down", async () => {
    const { port } = smtp;
    await smtp.stop();
    await send();
    await vi.waitFor(async () => expect((await rows())[0]?.["lastError"]).not.toBe(""), soon);
    smtp = await startSmtp({ ...certificate, port });
    await settled("sent");
    expect(smtp.received).toHaveLength(1);
  });

  it("waits while auth, which stores the password, is down", async () => {
    world.auth.isAway = true;
    await send();
    await vi.waitFor(async () => expect((await rows())[0]?.["attempts"]).toBeGreaterThan(1), soon);
    world.auth.isAway = false;
    await settled("sent");
  });

  it("is dropped at once if the receiver is refused permanently", async () => {
    smtp.refuseRecipients = true;
    await send();
    const row = await settled("dead");
    expect(row).toMatchObject({ attempts: 1, lastError: expect.stringContaining("550") as string });
    expect(row).not.toHaveProperty("box");
  });

  it("is dropped after ten attempts, and when it is too late for its reader", async () => {
    smtp.failures = 100;
    await send();
    expect((await settled("dead")).attempts).toBe(10);
    await world.mongo.collection("deliveries").deleteMany({});
    smtp.failures = 0;
    await world.messaging.queues.stop();
    await send({ params: { code: "1", minutes: "0.0001" } });
    expect((await rows())[0]?.["deadlineAt"]).toBeInstanceOf(Date);
    await world.stop();
    world = await startMessagingWorld({ backing: world.backing });
    use({});
    world.messaging.queues.start();
    expect((await settled("dead")).lastError).toBe("too late");
    expect(smtp.received).toHaveLength(0);
  });

  it("is sent once per key", async () => {
    await Promise.all([1, 2, 3].map(() => send({ idempotencyKey: "verify:1" })));
    await send({ idempotencyKey: "verify:1" });
    await send({ idempotencyKey: "verify:2" });
    await vi.waitFor(() => expect(smtp.received).toHaveLength(2), soon);
    await send({ idempotencyKey: "verify:1" });
    expect(await rows()).toHaveLength(2);
  });

  it("is sent once by two replicas", async () => {
    const other = await startMessagingWorld({ backing: world.backing });
    other.setOptions({ SMTPServer: "127.0.0.1", SMTPPort: String(smtp.port), SMTPFrom: "noreply@site.example" });
    other.messaging.queues.start();
    await Promise.all(Array.from({ length: 30 }, (_, index) => send({ params: { code: `C${index}`, minutes: "10" } })));
    await vi.waitFor(async () => expect((await rows()).every((row) => row["status"] === "sent")).toBe(true), soon);
    expect(smtp.received).toHaveLength(30);
    await other.stop();
  });

  it("is sent by another replica once the lease of a dead one has expired", async () => {
    await world.messaging.queues.stop();
    await send();
    const leaseEndsAt = new Date(Date.now() + 1_000);
    await world.mongo.collection("deliveries").updateOne({}, { $set: { attempts: 1, dueAt: leaseEndsAt } });
    await world.stop();
    world = await startMessagingWorld({ backing: world.backing });
    use({});
    world.auth.secrets = { SMTPToken: PASSWORD };
    world.messaging.queues.start();
    await vi.waitFor(() => expect(smtp.received).toHaveLength(1), soon);
    expect(Date.now()).toBeGreaterThanOrEqual(leaseEndsAt.getTime());
    expect(await settled("sent")).toMatchObject({ attempts: 2 });
  });

  it.each([
    ["mail_address_invalid", { to: "ada" }],
    ["mail_address_invalid", { to: "a@b.c, d@e.f" }],
    ["mail_address_invalid", { to: "a@b.c\r\nBcc: d@e.f" }],
    ["mail_address_invalid", { to: "Ada <a@b.c>" }],
    ["invalid_input", { template: "nonsense" }],
    ["invalid_input", { template: "constructor" }],
    ["invalid_input", { params: { minutes: "10" } }],
  ])("is refused with %s for %o", async (expected, over) => {
    await expect(send(over)).rejects.toEqual(code(expected));
    expect(await rows()).toEqual([]);
  });

  it("is refused while no server is configured", async () => {
    world.setOptions({});
    await expect(send()).rejects.toEqual(code("mail_not_configured"));
    await expect(world.mail.sendTestMail({ to: "a@b.c" }, admin)).rejects.toEqual(code("mail_not_configured"));
  });

  it("is queued for services only and tested by admins only", async () => {
    await expect(world.mail.sendMail(request, actor(2))).rejects.toEqual(code("permission_denied"));
    await expect(world.mail.sendTestMail({ to: "a@b.c" }, actor(2))).rejects.toEqual(code("permission_denied"));
    await expect(world.mail.sendTestMail({ to: "a@b.c" })).rejects.toEqual(code("unauthenticated"));
  });

  it("is sent at once as a test, or returns the server's message without the password", async () => {
    await world.mail.sendTestMail({ to: "ops@mail.example" }, admin);
    expect(smtp.received.map(({ to }) => to)).toEqual([["ops@mail.example"]]);
    world.auth.secrets = { SMTPToken: "wrong-secret" };
    const failure = await world.mail.sendTestMail({ to: "ops@mail.example" }, admin).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "mail_send_failed", params: { detail: expect.stringContaining("535") } });
    expect(JSON.stringify(failure)).not.toContain("wrong-secret");
  });

  it("waits for the right password after a wrong one, without a password in any log line or row", async () => {
    world.auth.secrets = { SMTPToken: "wrong-secret" };
    await send();
    await vi.waitFor(async () => expect((await rows())[0]?.["lastError"]).toContain("535"), soon);
    expect(JSON.stringify(await rows()) + world.logText()).not.toMatch(/wrong-secret|smtp-pass-word/);
    world.auth.secrets = { SMTPToken: PASSWORD };
    await settled("sent");
  });

  it("uses TLS from the first byte if configured, and STARTTLS if it is offered", async () => {
    const implicit = await startSmtp({ ...certificate, secure: true });
    const plain = await startSmtp({ ...certificate, disabledCommands: ["STARTTLS"] });
    others.push(implicit, plain);
    use({ SMTPPort: String(implicit.port), SMTPSSLEnabled: "true" });
    await world.mail.sendTestMail({ to: "a@b.c" }, admin);
    expect(implicit.received.map(({ isTls }) => isTls)).toEqual([true]);
    use({});
    await world.mail.sendTestMail({ to: "a@b.c" }, admin);
    expect(smtp.received.map(({ isTls }) => isTls)).toEqual([true]);
    use({ SMTPPort: String(plain.port), SMTPAccount: "" });
    await world.mail.sendTestMail({ to: "a@b.c" }, admin);
    expect(plain.received.map(({ isTls }) => isTls)).toEqual([false]);
    expect(plain.signIns).toEqual([]);
  });

  it("fails in bounded time if the server has no TLS where it is required", async () => {
    const plain = await startSmtp({ ...certificate, disabledCommands: ["STARTTLS"] });
    others.push(plain);
    use({ SMTPPort: String(plain.port), SMTPSSLEnabled: "true" });
    await expect(world.mail.sendTestMail({ to: "a@b.c" }, { ...admin, timeoutMs: 20_000 })).rejects.toEqual(
      code("mail_send_failed"),
    );
  });
});
