import { userChanged } from "@turnpike/shared/events/auth";
import { accountsSpent } from "@turnpike/shared/events/billing";
import {
  belowCostFound,
  catalogueProposed,
  orderMismatched,
  providerReportsFound,
} from "@turnpike/shared/events/billing";
import { channelAutoDisabled, channelAutoEnabled, channelsTested } from "@turnpike/shared/events/channel";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { actor, startMessagingWorld, type World } from "./messaging-world.ts";
import { type SmtpDouble, startSmtp } from "./smtp-double.ts";

const soon = { timeout: 10_000 };

describe("notices", () => {
  let world: World;
  let smtp: SmtpDouble;
  beforeAll(async () => {
    world = await startMessagingWorld();
    await world.startNotices();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    smtp = await startSmtp({ disabledCommands: ["STARTTLS"] });
    use(world);
    world.auth.targets.clear();
    world.auth.isAway = false;
    for (const name of ["deliveries", "notice_limits"]) await world.mongo.collection(name).deleteMany({});
  });
  afterEach(() => smtp.stop());

  const use = (of: World, options: object = {}): void =>
    of.setOptions({
      SMTPServer: "127.0.0.1",
      SMTPPort: String(smtp.port),
      SMTPFrom: "noreply@site.example",
      ServerAddress: "https://site.example/",
      ...options,
    });
  let lastUser = 20;
  const newUser = (over: object = {}): number => {
    const userId = ++lastUser;
    world.auth.targets.set(userId, { email: `user${userId}@mail.example`, ...over });
    return userId;
  };
  const spent = (userId: number, quota: number): void =>
    world.bus.notify(accountsSpent, { accounts: [{ userId, quota }] });
  /** Events are handled in order: once this user's mail has arrived, all earlier events have been handled. */
  const decided = async (): Promise<string[]> => {
    const marker = newUser();
    spent(marker, 0);
    const address = `user${marker}@mail.example`;
    const receivers = () => smtp.received.flatMap(({ to }) => to);
    await vi.waitFor(() => expect(receivers()).toContain(address), soon);
    return receivers().filter((to) => to !== address);
  };

  it("warns of a balance below the user's threshold, with the balance and where to top up", async () => {
    const userId = newUser();
    world.auth.thresholds.set(userId, 500_000);
    spent(userId, 250_000);
    await vi.waitFor(() => expect(smtp.received).toHaveLength(1), soon);
    const [{ mail } = { mail: undefined }] = smtp.received;
    expect(mail?.subject).toBe("Turnpike 额度预警 / Turnpike low balance");
    for (const word of [`user${userId}`, "$0.50", "$1.00", "https://site.example/app/wallet"])
      expect(mail?.text).toContain(word);
  });

  it("sends nothing at or above the threshold, or to deregistered users", async () => {
    const [exactly, above] = [newUser(), newUser()];
    spent(exactly, 1_000);
    spent(above, 5_000);
    spent(9_999, 0);
    expect(await decided()).toEqual([]);
  });

  it("warns at most once in two hours, whatever the balance and after a restart", async () => {
    const userId = newUser();
    spent(userId, 10);
    await vi.waitFor(() => expect(smtp.received).toHaveLength(1), soon);
    spent(userId, 5);
    await world.stop();
    world = await startMessagingWorld({ backing: world.backing });
    use(world);
    world.auth.targets.set(userId, { email: `user${userId}@mail.example` });
    await world.startNotices();
    spent(userId, -5);
    expect(await decided()).toEqual([`user${userId}@mail.example`]);
    const limits = world.mongo.collection("notice_limits");
    const { resetAt } = (await limits.findOne({ _id: `quota_exceed:${userId}` as never })) as unknown as {
      resetAt: Date;
    };
    expect(Math.abs(resetAt.getTime() - Date.now() - 7_200_000)).toBeLessThan(60_000);
  });

  it("warns again when two hours have passed", async () => {
    const userId = newUser();
    spent(userId, 10);
    await vi.waitFor(() => expect(smtp.received).toHaveLength(1), soon);
    const key = { _id: `quota_exceed:${userId}` as never };
    await world.mongo.collection("notice_limits").updateOne(key, { $set: { resetAt: new Date(Date.now() - 1) } });
    world.bus.notify(userChanged, { userId });
    await world.nats.flush();
    spent(userId, 10);
    await vi.waitFor(() => expect(smtp.received).toHaveLength(2), soon);
  });

  it("sends a notice once, though two replicas receive the event and it is redelivered", async () => {
    const other = await startMessagingWorld({ backing: world.backing });
    use(other);
    await other.startNotices();
    const users = Array.from({ length: 10 }, () => newUser());
    for (const userId of users) other.auth.targets.set(userId, { email: `user${userId}@mail.example` });
    for (const userId of [...users, ...users]) spent(userId, 1);
    await vi.waitFor(() => expect(smtp.received.length).toBeGreaterThanOrEqual(users.length), soon);
    await other.stop();
    expect((await decided()).toSorted()).toEqual(users.map((userId) => `user${userId}@mail.example`).toSorted());
  });

  it("sends notices after a messaging outage for events published during it", async () => {
    const userId = newUser();
    await world.messaging.notices.stop();
    spent(userId, 1);
    await world.nats.flush();
    await world.stop();
    world = await startMessagingWorld({ backing: world.backing });
    use(world);
    world.auth.targets.set(userId, { email: `user${userId}@mail.example` });
    await world.startNotices();
    await vi.waitFor(() => expect(smtp.received.flatMap(({ to }) => to)).toEqual([`user${userId}@mail.example`]), soon);
  });

  it("sends notices after an auth outage for events published during it", async () => {
    const userId = newUser();
    world.auth.isAway = true;
    spent(userId, 1);
    await vi.waitFor(() => expect(world.logText()).toContain("will be redelivered"), soon);
    world.auth.isAway = false;
    await vi.waitFor(() => expect(smtp.received).toHaveLength(1), { timeout: 15_000 });
  });

  it("drops notices to a user without an address and does not count them", async () => {
    const userId = newUser({ email: "" });
    spent(userId, 1);
    expect(await decided()).toEqual([]);
    expect(await world.mongo.collection("notice_limits").countDocuments()).toBe(1);
  });

  it("applies a changed setting at once", async () => {
    const userId = newUser();
    world.auth.thresholds.set(userId, 0);
    spent(userId, 500);
    expect(await decided()).toEqual([]);
    world.auth.thresholds.set(userId, 10_000);
    world.bus.notify(userChanged, { userId });
    await world.nats.flush();
    spent(userId, 500);
    expect(await decided()).toContain(`user${userId}@mail.example`);
  });

  it("reports to root which channels the system switched, twice in ten minutes at most", async () => {
    world.auth.targets.set(1, { email: "root@mail.example" });
    const off = { channelId: 7, name: "main <script>", reason: "invalid key" };
    for (let round = 0; round < 4; round++) world.bus.notify(channelAutoDisabled, off);
    world.bus.notify(channelAutoEnabled, { channelId: 7, name: "main" });
    await decided();
    const reported = smtp.received.filter(({ to }) => to.includes("root@mail.example")).map(({ mail }) => mail);
    expect(reported.map(({ subject = "" }) => subject).toSorted()).toEqual([
      `Turnpike 渠道「main <script>」（#7）已被禁用 / Turnpike channel "main <script>" (#7) was disabled`,
      `Turnpike 渠道「main <script>」（#7）已被禁用 / Turnpike channel "main <script>" (#7) was disabled`,
      `Turnpike 渠道「main」（#7）已被启用 / Turnpike channel "main" (#7) was enabled`,
    ]);
    expect(reported.find(({ subject }) => subject?.includes("disabled"))).toMatchObject({
      text: expect.stringContaining("invalid key") as string,
      html: expect.not.stringContaining("<script>") as string,
    });
  });

  it("reports to root the result of a test of all channels", async () => {
    world.auth.targets.set(1, { email: "root@mail.example" });
    world.bus.notify(channelsTested, { tested: 12, failed: 3, disabled: 2, enabled: 1 });
    expect(await decided()).toEqual(["root@mail.example"]);
    expect(smtp.received.find(({ to }) => to.includes("root@mail.example"))?.mail).toMatchObject({
      subject: "Turnpike 渠道测试完成 / Turnpike channel test finished",
      text: expect.stringMatching(/12[\s\S]*3[\s\S]*2[\s\S]*1/) as string,
    });
  });

  it("reports to root what is sold below cost", async () => {
    world.auth.targets.set(1, { email: "root@mail.example" });
    const items = [
      { kind: "model", name: "gpt-4o", charged: 500_000, cost: 750_000 },
      { kind: "channel", name: "#3 main", charged: 0, cost: 500_000 },
    ];
    world.bus.notify(belowCostFound, { total: 2, items });
    expect(await decided()).toEqual(["root@mail.example"]);
    expect(smtp.received.find(({ mail }) => mail.subject?.includes("below cost"))?.mail).toMatchObject({
      subject: "Turnpike 有 2 个模型或渠道的售价低于成本 / Turnpike: 2 models or channels sell below cost",
      text: expect.stringMatching(/gpt-4o: -\$0\.50; #3 main: -\$1\.00/) as string,
    });
  });

  it("notifies root of a payment that is not as ordered", async () => {
    world.auth.targets.set(1, { email: "root@mail.example" });
    const mismatch = {
      orderId: 7,
      tradeNo: "USR3NOabcdef1790000000",
      userId: 3,
      username: "ada",
      expectedCents: 7_300,
      expectedCurrency: "cny",
      receivedCents: 8_000,
      receivedCurrency: "cny",
    };
    world.bus.notify(orderMismatched, mismatch);
    expect(await decided()).toEqual(["root@mail.example"]);
    expect(smtp.received.find(({ mail }) => mail.subject?.includes("not as ordered"))?.mail).toMatchObject({
      subject: "Turnpike 收到一笔与订单不符的付款 / Turnpike: a payment is not as ordered",
      text: expect.stringMatching(/USR3NOabcdef1790000000[\s\S]*ada[\s\S]*73\.00 CNY[\s\S]*80\.00 CNY/) as string,
    });
  });

  it("reports to root which providers' reports differ or fail", async () => {
    world.auth.targets.set(1, { email: "root@mail.example" });
    const items = [
      {
        channelId: 3,
        day: 1_790_000_000 - (1_790_000_000 % 86_400),
        state: "different",
        differenceCents: 1_234,
        problem: "",
      },
      { channelId: 4, day: 0, state: "failing", differenceCents: 0, problem: "HTTP 503" },
    ];
    world.bus.notify(providerReportsFound, { total: 2, items });
    expect(await decided()).toEqual(["root@mail.example"]);
    expect(smtp.received.find(({ mail }) => mail.subject?.includes("provider reports"))?.mail).toMatchObject({
      subject:
        "Turnpike 有 2 份上游账单与日志不符或无法获取 / Turnpike: 2 provider reports differ or cannot be fetched",
      text: expect.stringMatching(/#3 2026-09-21: \$12\.34; #4 1970-01-01: HTTP 503/) as string,
    });
  });

  it("reports to root what a catalogue of prices proposes", async () => {
    world.auth.targets.set(1, { email: "root@mail.example" });
    world.bus.notify(catalogueProposed, { source: "litellm", added: 3, changed: 2, large: 1, applied: 0 });
    expect(await decided()).toEqual(["root@mail.example"]);
    expect(smtp.received.find(({ mail }) => mail.subject?.includes("catalogue"))?.mail).toMatchObject({
      subject: "Turnpike 价格目录有更新 / Turnpike: the price catalogue has changed",
      text: expect.stringMatching(/litellm: 3 new prices, 2 changed ones/) as string,
    });
  });

  it("uses root's inbox for channel notices if no other way reaches root", async () => {
    for (let round = 0; round < 4; round++)
      world.bus.notify(channelAutoDisabled, { channelId: 8, name: "a <b>", reason: "401 *no*" });
    await decided();
    const { items } = await world.inbox.listInbox({ userId: 1, page: 1, pageSize: 10 }, actor(1));
    expect(items).toHaveLength(2);
    expect(items[0]?.message?.content).toContain("a &lt;b&gt;");
    expect(items[0]?.message?.preview).toContain("渠道「a <b>」（#8）已被自动禁用。 原因 401 *no*");
  });
});
