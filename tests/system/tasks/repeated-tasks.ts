import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { FakeTasks } from "../../lib/fake-upstream/fake-tasks.ts";
import { bearer, getBalance, getRows, START, type TestUser } from "../../lib/task-user.ts";
import { IMAGINE, within, type TaskSite } from "./task-site.ts";

const REPEATS = 20;
const MUSIC = 50_000;

/** Submissions of tasks with an idempotency key. */
export function repeatedTasks(at: TaskSite): void {
  const submit = async ({ key }: TestUser, path: string, body: unknown, idempotencyKey: string) => {
    const response = await fetch(at.world.relayUrl + path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        // A connection of its own, so that both relays get some.
        connection: "close",
        "content-type": "application/json",
        "idempotency-key": idempotencyKey,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const count = (upstream: FakeTasks): number => upstream.submissions().length;

  describe("task submission with an idempotency key", () => {
    it.each([
      ["/mj/submit/imagine", { prompt: "once" }, IMAGINE, () => at.first],
      ["/suno/submit/music", { prompt: "once" }, MUSIC, () => at.music],
    ] as const)("of %s reaches upstream once and is charged once however often it is repeated", async (...args) => {
      const [path, body, price, getUpstream] = args;
      const user = await at.createUser();
      const before = count(getUpstream());
      const id = randomUUID();
      const replies = await Promise.all(Array.from({ length: REPEATS }, () => submit(user, path, body, id)));
      replies.push(await submit(user, path, body, id));
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
      expect(replies.filter(({ headers }) => headers.get("idempotent-replayed") === "true")).toHaveLength(REPEATS);
      expect(new Set(replies.map(({ headers }) => headers.get("x-turnpike-cost")))).toEqual(
        new Set([String(price / 500_000)]),
      );
      expect(count(getUpstream())).toBe(before + 1);
      await within(() => getBalance(user)).toBe(START - price);
      expect((await getRows(user, 2)).total).toBe(1);
      expect(await at.runLedgerCheck()).toContain("all figures agree");
    });

    it.each([
      ["/mj/submit/imagine", { prompt: "dear" }, IMAGINE, () => at.first],
      ["/suno/submit/music", { prompt: "dear" }, MUSIC, () => at.music],
    ] as const)("of %s is refused if it costs more than its caller's ceiling", async (...args) => {
      const [path, body, price, getUpstream] = args;
      const user = await at.createUser();
      const before = count(getUpstream());
      const submitBelow = (dollars: string) =>
        user.call("POST", path, body, { ...bearer(user), "x-turnpike-max-cost": dollars });
      for (const dollars of [String((price - 1) / 500_000), "0", "much"]) {
        const refused = await submitBelow(dollars);
        expect([refused.status, JSON.stringify(refused.body)]).toEqual([
          400,
          expect.stringContaining("x-turnpike-max-cost: "),
        ]);
      }
      expect(count(getUpstream())).toBe(before);
      expect(await submitBelow(String(price / 500_000))).toMatchObject({ status: 200 });
      await within(() => getBalance(user)).toBe(START - price);
    });

    it("is refused with another body", async () => {
      const user = await at.createUser();
      const id = randomUUID();
      expect(await submit(user, "/mj/submit/imagine", { prompt: "a cat" }, id)).toMatchObject({ status: 200 });
      const other = await submit(user, "/mj/submit/imagine", { prompt: "a dog" }, id);
      expect(other.status).toBe(422);
      expect(JSON.parse(other.text)).toMatchObject({ description: /used for a call with another body/ });
    });

    it("runs again after upstream refused it, which cost nothing", async () => {
      const user = await at.createUser();
      const id = randomUUID();
      at.music.respondNext({ code: "quota_exceeded", message: "no credits", data: null });
      expect(await submit(user, "/suno/submit/music", { prompt: "rain" }, id)).toMatchObject({ status: 502 });
      expect(await submit(user, "/suno/submit/music", { prompt: "rain" }, id)).toMatchObject({ status: 200 });
      await within(() => getBalance(user)).toBe(START - MUSIC);
    });
  });
}
