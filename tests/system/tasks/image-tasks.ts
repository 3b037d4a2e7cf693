import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { IMAGE } from "../../lib/fake-upstream/fake-tasks.ts";
import { isSettled } from "../../lib/settled.ts";
import { describe, expect, it } from "vitest";
import { bearer, drawn, getBalance, getLeft, getRefunds, getRows, START } from "../../lib/task-user.ts";
import { getStatus, imagine, IMAGINE, within, type TaskSite } from "./task-site.ts";

/** Image tasks from submission to image, and those that are refused. */
export function imageTasks(at: TaskSite): void {
  describe("image task", () => {
    it("reports its charge in a header of its submission", async () => {
      const { key } = await at.createUser(START);
      const response = await fetch(`${at.world.relayUrl}/mj/submit/imagine`, {
        method: "POST",
        headers: { "mj-api-secret": key, "content-type": "application/json" },
        body: JSON.stringify({ prompt: "a cat" }),
      });
      expect(response.headers.get("x-turnpike-cost")).toBe(String(IMAGINE / 500_000));
    });

    it("is charged once at its submission and followed to its end", async () => {
      const user = await at.createUser();
      const response = await user.call("POST", "/mj-fast/mj/submit/imagine", { prompt: "a cat", state: "mine" });
      const id = String(response.body["result"]);
      const sent = at.first.submissions().at(-1);
      expect(sent).toMatchObject({ path: "/mj/submit/imagine", body: { prompt: "a cat", state: "mine" } });
      expect(sent?.headers["mj-api-secret"]).toBe("up-draw");
      at.first.setTask(id, { status: "IN_PROGRESS", progress: "40%", imageUrl: `${at.first.url}/img/half.png` });
      await within(getStatus(user, id)).toBe("IN_PROGRESS");
      const half = await user.call("GET", `/mj/task/${id}/fetch`);
      expect(half.body["imageUrl"]).toMatch(new RegExp(`^${at.world.relayUrl}/mj/image/${id}\\?rand=`));
      const buttons = [{ customId: "MJ::JOB::upsample::1::x" }];
      at.first.setTask(id, {
        status: "SUCCESS",
        progress: "100%",
        imageUrl: `${at.first.url}/img/a.png`,
        buttons,
        finishTime: 7,
      });
      await within(getStatus(user, id)).toBe("SUCCESS");
      const done = await user.call("GET", `/mj/task/${id}/fetch`);
      expect(done.body).toMatchObject({
        id,
        action: "IMAGINE",
        state: "mine",
        progress: "100%",
        buttons,
        prompt: "a cat",
      });
      await at.testSite.root.put("/api/option/", { key: "ServerAddress", value: "" });
      for (const site of [at.world.relayUrl, at.world.consoleUrl])
        await within(async () => {
          const response = await fetch(`${site}/mj/task/${id}/fetch`, { headers: { "mj-api-secret": user.key } });
          return ((await response.json()) as { imageUrl: string }).imageUrl;
        }).toBe(`${site}/mj/image/${id}`);
      await at.testSite.root.put("/api/option/", { key: "ServerAddress", value: at.world.relayUrl });
      const image = await fetch(String(done.body["imageUrl"]));
      expect(image.headers.get("content-type")).toBe("image/png");
      expect(IMAGE.equals(Buffer.from(await image.arrayBuffer()))).toBe(true);
      expect((await fetch(`${at.world.consoleUrl}/mj/image/${id}`)).status).toBe(200);
      await within(() => getBalance(user)).toBe(START - IMAGINE);
      expect(await getLeft(user)).toBe(START - IMAGINE);
      const { items, total } = await getRows(user, 2);
      expect([total, items[0]?.quota, items[0]?.model_name]).toEqual([1, IMAGINE, "mj_imagine"]);
      expect(JSON.parse(items[0]?.other ?? "{}")).toMatchObject({ model_price: 0.1, group_ratio: 1, task_id: id });
      const [row] = (await drawn(user)).items;
      expect(row).toMatchObject({ mj_id: id, status: "SUCCESS", quota: IMAGINE, channel_id: 0, code: 1 });
    });

    it("is listed by its ids, the caller's own only", async () => {
      const [user, other] = await Promise.all([at.createUser(), at.createUser()]);
      const [mine, theirs] = [await imagine(user), await imagine(other)];
      const listed = await user.call("POST", "/mj/task/list-by-condition", { ids: [theirs, mine, "1"] });
      expect((listed.body as unknown as { id: string }[]).map(({ id }) => id)).toEqual([mine]);
      expect(await user.call("GET", `/mj/task/${theirs}/fetch`)).toMatchObject({ status: 400, body: { code: 4 } });
      const change = { taskId: theirs, action: "UPSCALE", index: 1 };
      expect(await user.call("POST", "/mj/submit/change", change)).toMatchObject({ status: 400 });
      expect(await user.call("POST", "/mj/notify", { id: theirs })).toMatchObject({ status: 400 });
    });

    it("sends upstream only what the site passes on", async () => {
      const user = await at.createUser();
      const whole = {
        prompt: "a cat --fast",
        notifyHook: "https://example.com/hook",
        accountFilter: { modes: ["FAST"] },
      };
      await imagine(user, whole);
      expect(at.first.submissions().at(-1)?.body).toEqual({ prompt: "a cat --fast" });
      const options = { MjNotifyEnabled: "true", MjAccountFilterEnabled: "true", MjModeClearEnabled: "true" };
      for (const [key, value] of Object.entries(options)) await at.testSite.root.put("/api/option/", { key, value });
      await within(async () => {
        await imagine(user, whole);
        return at.first.submissions().at(-1)?.body;
      }).toEqual({ ...whole, prompt: "a cat" });
      const inside = await user.call("POST", "/mj/submit/imagine", { ...whole, notifyHook: "http://127.0.0.1:9/x" });
      expect(inside).toMatchObject({ status: 400, body: { code: 4, type: "turnpike_error" } });
      for (const key of Object.keys(options)) await at.testSite.root.put("/api/option/", { key, value: "false" });
    });

    it("runs a follow-up at the same account, once the first task has succeeded", async () => {
      const user = await at.createUser();
      at.first.respondNext({ code: 23, description: "队列已满" });
      const id = await imagine(user);
      expect(at.second.submissions().at(-1)?.headers["mj-api-secret"]).toBe("up-draw-plus");
      const change = { taskId: id, action: "UPSCALE", index: 2 };
      expect(await user.call("POST", "/mj/submit/change", change)).toMatchObject({ status: 400 });
      at.second.setTask(id, { status: "SUCCESS", progress: "100%" });
      await within(getStatus(user, id)).toBe("SUCCESS");
      for (const [path, body] of [
        ["change", change],
        ["simple-change", { content: `${id} V3` }],
        ["action", { taskId: id, customId: "MJ::Inpaint::1::x" }],
        ["modal", { taskId: id, prompt: "red" }],
      ] as const) {
        expect(await user.call("POST", `/mj/submit/${path}`, body)).toMatchObject({ status: 200, body: { code: 1 } });
        expect(at.second.submissions().at(-1)).toMatchObject({ path: `/mj/submit/${path}`, body });
      }
      // Imagine, upscale, variation and modal; opening the inpaint dialog costs nothing.
      await within(() => getBalance(user)).toBe(START - IMAGINE - 25_000 - 50_000 - 50_000);
      expect((await user.call("GET", `/mj/task/${id}/image-seed`)).body).toMatchObject({ result: "3541" });
      await at.testSite.root.put("/api/channel/", { id: at.channelIds["draw-plus"], status: 2 });
      await within(async () => (await user.call("POST", "/mj/submit/change", change)).status).toBe(503);
      await at.testSite.root.put("/api/channel/", { id: at.channelIds["draw-plus"], status: 1 });
    });

    it("passes on upstream's refusal unchanged, at no cost", async () => {
      const user = await at.createUser();
      const banned = { code: 24, description: "可能包含敏感词", properties: { bannedWord: "nude" } };
      at.first.respondNext(banned);
      expect(await user.call("POST", "/mj/submit/imagine", { prompt: "nude" })).toEqual({ status: 200, body: banned });
      const [row] = (await drawn(user)).items;
      expect(row).toMatchObject({ status: "FAILURE", fail_reason: "可能包含敏感词", code: 24, quota: 0 });
      at.first.respondNext({ message: "bad key" }, 401);
      at.second.respondNext({ message: "down" }, 500);
      const failed = await user.call("POST", "/mj/submit/imagine", { prompt: "a cat" });
      expect(failed).toMatchObject({ status: 500, body: { type: "upstream_error", description: /down/ } });
      await within(() => isSettled(at.world)).toBe(true);
      expect([await getBalance(user), (await getRows(user, 2)).total, (await getRefunds(user)).total]).toEqual([
        START,
        0,
        0,
      ]);
    });

    it("is refused, in the format of its callers, without a key, a balance or required fields", async () => {
      const user = await at.createUser(IMAGINE - 1);
      const before = at.first.submissions().length;
      const refusals = [
        await user.call("POST", "/mj/submit/imagine", { prompt: "a cat" }),
        await user.call("POST", "/mj/submit/imagine", {}),
        await user.call("POST", "/mj/submit/imagine", { prompt: "x" }, {}),
        await user.call("POST", "/mj/submit/imagine", { prompt: "x" }, { authorization: "Bearer sk-none" }),
      ];
      expect(refusals.map(({ status }) => status)).toEqual([402, 400, 401, 401]);
      for (const { body } of refusals)
        expect(body).toEqual({ description: expect.any(String), type: "turnpike_error", code: expect.any(Number) });
      expect(at.first.submissions()).toHaveLength(before);
      const limited = await at.createUser(START, { remain_quota: 10 });
      expect((await limited.call("POST", "/mj/submit/imagine", { prompt: "x" })).status).toBe(402);
    });

    it("is refused for a token whose group was closed to its user", async () => {
      const user = await at.createUser(START, { group: "vip" });
      const statusNow = async () => (await user.call("POST", "/mj/submit/imagine", { prompt: "x" })).status;
      expect(await statusNow()).toBe(503);
      const key = "UserUsableGroups";
      const usable = (value: unknown) => at.testSite.root.put("/api/option/", { key, value: JSON.stringify(value) });
      await usable({ default: "d" });
      await within(statusNow).toBe(403);
      await usable({ default: "d", vip: "v" });
    });

    it("is polled at once when upstream reports a change, without trusting the content of the report", async () => {
      const user = await at.createUser();
      const id = await imagine(user);
      const forged = { id, status: "FAILURE", imageUrl: "http://169.254.169.254/x", failReason: "forged" };
      expect(await user.call("POST", "/mj/notify", forged)).toMatchObject({ status: 200, body: { code: 1 } });
      at.first.setTask(id, { status: "SUCCESS", progress: "100%", imageUrl: `${at.first.url}/img/b.png` });
      await within(getStatus(user, id)).toBe("SUCCESS");
      expect((await getRefunds(user)).total).toBe(0);
    });

    const findImagePath = async (imageUrl: string): Promise<string> => {
      const user = await at.createUser();
      const id = await imagine(user);
      at.first.setTask(id, { status: "SUCCESS", progress: "100%", imageUrl });
      await within(getStatus(user, id)).toBe("SUCCESS");
      return `${at.world.relayUrl}/mj/image/${id}`;
    };
    const movedTo = (address: string): string => `${at.first.url}/a.png?moved-to=${encodeURIComponent(address)}`;

    it("serves no image from a private address other than its upstream's, also after a redirect", async () => {
      let fetched = 0;
      const inside = createServer((_, response) => {
        fetched++;
        response.writeHead(200, { "content-type": "image/png" }).end(IMAGE);
      });
      await new Promise<void>((done) => inside.listen(0, "127.0.0.1", done));
      const address = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/x.png`;
      const places = await Promise.all([address, movedTo(address)].map(findImagePath));
      for (const place of places) expect([(await fetch(place)).status, fetched]).toEqual([502, 0]);
      expect((await fetch(`${at.world.relayUrl}/mj/image/17`)).status).toBe(404);
      inside.close();
    });

    it("follows a redirect to an image, but no endless redirects and none to another kind of address", async () => {
      const endless = `${at.first.url}/a.png?moved-to=${encodeURIComponent("?moved-to=%3Fmoved-to%3D%253Fmoved-to%253D%25253F")}`;
      const addresses = [movedTo("/img/moved.png"), endless, movedTo("file:///etc/passwd"), movedTo("http://[")];
      const [moved = "", ...lost] = await Promise.all(addresses.map(findImagePath));
      const response = await fetch(moved);
      expect([response.status, Buffer.from(await response.arrayBuffer())]).toEqual([200, IMAGE]);
      for (const place of lost) expect((await fetch(place)).status).toBe(502);
    });
  });

  describe("forbidden words", () => {
    it("blocks an image or music task before any upstream, at no cost, and reports it in the caller's format", async () => {
      const user = await at.createUser();
      const [images, musicTasks] = [at.first.submissions().length, at.music.submissions().length];
      const image = await user.call("POST", "/mj/submit/imagine", { prompt: "a TEST_sensitive cat" });
      expect(image).toMatchObject({ status: 400, body: { code: 24, type: "turnpike_error" } });
      const musicTask = await user.call("POST", "/suno/submit/music", { title: "test_sensitive" }, bearer(user));
      expect(musicTask).toMatchObject({ status: 400, body: { code: "sensitive_words_detected", data: null } });
      expect([at.first.submissions().length, at.music.submissions().length]).toEqual([images, musicTasks]);
      expect([await getBalance(user), (await drawn(user)).total]).toEqual([START, 0]);
    });
  });
}
