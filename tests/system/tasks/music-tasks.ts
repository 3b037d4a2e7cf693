import { isSettled } from "../../lib/settled.ts";
import { describe, expect, it } from "vitest";
import { getBalance, getRefunds, START, type TestUser } from "../../lib/task-user.ts";
import { within, type TaskSite } from "./task-site.ts";

/** Music tasks. */
export function musicTasks(at: TaskSite): void {
  describe("music task", () => {
    const submit = (user: TestUser, action: string, body: unknown) =>
      user.call("POST", `/suno/submit/${action}`, body, { authorization: `Bearer ${user.key}` });
    const fetchOne = (user: TestUser, id: string) =>
      user.call("GET", `/suno/fetch/${id}`, undefined, { authorization: `Bearer ${user.key}` });

    it("is charged, followed and listed", async () => {
      const user = await at.createUser();
      const response = await submit(user, "music", { gpt_description_prompt: "rain" });
      const id = String(response.body["data"]);
      expect(response).toMatchObject({ status: 200, body: { code: "success" } });
      expect(at.music.submissions().at(-1)).toMatchObject({ path: "/suno/submit/music", body: { mv: "chirp-v3-0" } });
      expect(at.music.submissions().at(-1)?.headers.authorization).toBe("Bearer up-song");
      at.music.setTask(id, { status: "SUCCESS", progress: "100%", finish_time: 1_700_000_000, data: [{ id: "clip" }] });
      await within(async () => (await fetchOne(user, id)).body["data"]).toMatchObject({
        task_id: id,
        action: "MUSIC",
        status: "SUCCESS",
        finish_time: 1_700_000_000,
        data: [{ id: "clip" }],
      });
      const both = await user.call("POST", "/suno/fetch", { ids: [id, "x"] }, { authorization: `Bearer ${user.key}` });
      expect(both.body["data"]).toHaveLength(1);
      const named = { ids: [id], action: "lyrics" };
      const ofAnyAction = await user.call("POST", "/suno/fetch", named, { authorization: `Bearer ${user.key}` });
      expect(ofAnyAction.body["data"]).toMatchObject([{ task_id: id, action: "MUSIC" }]);
      await submit(user, "lyrics", { prompt: "rain" });
      await within(() => getBalance(user)).toBe(START - 50_000 - 5_000);
      const more = await submit(user, "music", { prompt: "more", task_id: id, continue_clip_id: "clip" });
      expect(more.body["code"]).toBe("success");
      const own = await user.client.get<{ items: object[] }>("/api/task/self", { paged: true, task_id: id });
      expect(own.items).toMatchObject([{ task_id: id, platform: "suno", action: "MUSIC", channel_id: 0 }]);
      const all = await at.testSite.root.get<{ items: object[] }>("/api/task/", {
        paged: true,
        channel_id: at.channelIds["song"] ?? 0,
      });
      expect(all.items[0]).toMatchObject({ platform: "suno", channel_id: at.channelIds["song"] });
    });

    it("is refunded if it fails, and costs nothing if refused", async () => {
      const user = await at.createUser();
      const id = String((await submit(user, "music", { prompt: "rain" })).body["data"]);
      at.music.setTask(id, { status: "FAILURE", fail_reason: "no" });
      await within(async () => (await getRefunds(user)).total).toBe(1);
      expect(await getBalance(user)).toBe(START);
      at.music.respondNext({ code: "quota_exceeded", message: "no credits", data: null });
      const refused = await submit(user, "music", { prompt: "rain" });
      expect(refused).toMatchObject({
        status: 502,
        body: { code: "quota_exceeded", message: /no credits/, data: null },
      });
      for (const [action, body] of [
        ["video", {}],
        ["lyrics", {}],
        ["music", { continue_clip_id: "clip" }],
      ] as const)
        expect(await submit(user, action, body)).toMatchObject({
          status: 400,
          body: { code: "invalid_request", data: null },
        });
      expect((await fetchOne(user, "none")).status).toBe(400);
      await within(() => isSettled(at.world)).toBe(true);
      expect(await getRefunds(user)).toMatchObject({ total: 1, amount: 50_000 });
      expect(await at.runLedgerCheck()).toContain("all figures agree");
    });
  });
}
