import { startFakeTasks } from "../../lib/fake-upstream/fake-tasks.ts";
import { describe, expect, it } from "vitest";
import { drawn, getBalance, getLeft, getRefunds, getRows, START } from "../../lib/task-user.ts";
import { getStatus, imagine, IMAGINE, within, type TaskSite } from "./task-site.ts";

/** Image tasks that fail at the upstream: each is refunded once. */
export function failedTasks(at: TaskSite): void {
  describe("failed image task", () => {
    it("is refunded once, to the user and the token, however often it is polled", async () => {
      const user = await at.createUser();
      const images = await Promise.all(Array.from({ length: 6 }, () => imagine(user)));
      await within(() => getBalance(user)).toBe(START - 6 * IMAGINE);
      for (const id of images)
        at.first.setTask(id, { status: "FAILURE", progress: "100%", failReason: "banned prompt" });
      await within(async () => (await getRefunds(user)).total).toBe(6);
      await Promise.all(images.map((id) => user.call("POST", "/mj/notify", { id })));
      const polls = at.first.polls().length;
      const last = await imagine(user);
      // Both relays have polled it again by then.
      await within(async () => at.first.polls().length).toBeGreaterThan(polls + 3);
      at.first.setTask(last, { status: "SUCCESS", progress: "100%" });
      await within(getStatus(user, last)).toBe("SUCCESS");
      expect(await getRefunds(user)).toMatchObject({ total: 6, amount: 6 * IMAGINE });
      expect([await getBalance(user), await getLeft(user)]).toEqual([START - IMAGINE, START - IMAGINE]);
      const system = (await getRows(user, 4)).items.filter(({ content }) => content.includes("退还"));
      expect(system.map(({ quota }) => quota)).toEqual(Array.from({ length: 6 }, () => IMAGINE));
      const failed = (await drawn(user)).items.filter(({ status }) => status === "FAILURE");
      expect(failed.map((row) => row["refunded_quota"])).toEqual(Array.from({ length: 6 }, () => IMAGINE));
      expect(await at.runLedgerCheck()).toContain("all figures agree");
    });

    it("is refunded once though relays and billing die meanwhile, and re-enables the token that it exhausted", async () => {
      const user = await at.createUser(START, { remain_quota: 3 * IMAGINE });
      const images = [await imagine(user), await imagine(user), await imagine(user)];
      await within(() => getLeft(user)).toBe(0);
      await within(async () => (await user.call("POST", "/mj/submit/imagine", { prompt: "x" })).status).toBe(402);
      for (const id of images) at.first.setTask(id, { status: "FAILURE", failReason: "no" });
      at.world.kill("billing");
      at.world.kill("relay");
      at.world.kill("relay-1");
      await at.world.waitReady();
      await expect.poll(async () => (await getRefunds(user)).total, { timeout: 60_000, interval: 200 }).toBe(3);
      expect([await getBalance(user), await getLeft(user)]).toEqual([START, 3 * IMAGINE]);
      await within(async () => (await user.call("POST", "/mj/submit/imagine", { prompt: "again" })).status).toBe(200);
      expect(await at.runLedgerCheck()).toContain("all figures agree");
    }, 120_000);

    it("is polled with its original key although its channel was deleted", async () => {
      const removed = await startFakeTasks();
      await at.addChannel("removed", { type: 2, base_url: removed.url, models: "mj_describe", priority: 50 });
      const user = await at.createUser();
      await within(async () => {
        const requested = await user.call("POST", "/mj/submit/describe", { base64: "x" });
        return removed.submissions().length > 0 ? requested.body["code"] : undefined;
      }).toBe(1);
      const id = [...(await drawn(user)).items][0]?.["mj_id"] as string;
      await at.testSite.root.delete(`/api/channel/${at.channelIds["removed"]}/`);
      removed.setTask(id, { status: "FAILURE", failReason: "no" });
      await within(async () => (await getRefunds(user)).total).toBe(1);
      expect(removed.polls().at(-1)?.headers["mj-api-secret"]).toBe("up-removed");
      await removed.stop();
    });
  });
}
