import { once } from "node:events";
import { describe, expect, it } from "vitest";
import type { LogRow } from "../../lib/test-site.ts";
import type { RealtimeSite } from "./realtime-site.ts";

/** Sessions that end during a response: by the caller, the balance, upstream, or the relay. */
export function endings(at: RealtimeSite): void {
  describe("end of a Realtime session", () => {
    const { createCaller, readRow, openSession, requestResponse, closeSession, getRefusal } = at;
    it("ends with an error event when the balance is exhausted", async () => {
      const ann = await createCaller(40_000);
      at.upstream.always({ usage: { text: 100, audioOut: 100 } });
      const session = await openSession(ann.key, "gpt-4o-realtime-preview");
      const closed = once(session.socket, "close");
      const error = new Promise<{ error?: { code?: string | null } | undefined }>((resolve) =>
        session.on("error", (failure) => resolve(failure)),
      );
      for (let round = 0; round < 20 && session.socket.readyState === 1; round++)
        await Promise.race([requestResponse(session), closed]);
      expect((await error).error?.code).toBe("insufficient_user_quota");
      expect((await closed)[0]).toBe(1008);
      const row = await readRow(ann);
      const each = 100 * 2.5 + 100 * 40;
      expect(row.quota % each).toBe(0);
      expect(row.quota).toBeGreaterThan(20_000);
      expect(row.quota).toBeLessThanOrEqual(40_000 + each);
    });

    it("ends with an error event and 1008 once the key is revoked, and charges what was served", async () => {
      const ann = await createCaller();
      const session = await openSession(ann.key, "gpt-4o-realtime-preview");
      const closed = once(session.socket, "close");
      const error = new Promise<{ error?: { code?: string | null } | undefined }>((resolve) =>
        session.on("error", (failure) => resolve(failure)),
      );
      await requestResponse(session);
      await ann.user.client.delete(`/api/token/${ann.tokenId}`);
      expect((await error).error?.code).toBe("invalid_api_key");
      expect((await closed)[0]).toBe(1008);
      expect((await readRow(ann)).quota).toBeGreaterThan(0);
    }, 40_000);

    it("charges the part produced when the caller disconnects during a response, and closes upstream", async () => {
      const ann = await createCaller();
      at.upstream.next({ hold: new Promise(() => undefined) });
      const session = await openSession(ann.key, "gpt-4o-realtime-preview");
      const received = new Promise<void>((resolve) => session.once("response.output_audio.delta", () => resolve()));
      session.send({ type: "response.create" });
      await received;
      await closeSession(session);
      const row = await readRow(ann);
      // A second of audio, and a word.
      expect(row.completion_tokens).toBeGreaterThanOrEqual(13);
      expect(JSON.parse(row.other)).toMatchObject({ usage_estimated: true });
      expect(row.quota).toBeGreaterThan(500);
    });

    it("reads a response to its end after the caller disconnected, where the channel is set to drain", async () => {
      const setting = JSON.stringify({ on_client_disconnect: "drain" });
      const channel = { type: 1, name: "drained", key: "up-key", base_url: at.upstream.url, group: "default", setting };
      await at.testSite.root.post("/api/channel/", { ...channel, models: "drained-voice" });
      const ann = await createCaller();
      await at.testSite.eventually("the channel", 5_000, async () => {
        const { status } = await getRefusal("?model=nothing", ["realtime", `openai-insecure-api-key.${ann.key}`]);
        const { data } = (await (
          await fetch(`${at.world.relayUrl}/v1/models`, { headers: { authorization: `Bearer ${ann.key}` } })
        ).json()) as { data: { id: string }[] };
        return (status === 404 && data.some(({ id }) => id === "drained-voice")) || undefined;
      });
      let finish = (): void => undefined;
      at.upstream.next({ usage: { text: 10, textOut: 5 }, hold: new Promise<void>((resolve) => (finish = resolve)) });
      const session = await openSession(ann.key, "drained-voice");
      const received = new Promise<void>((resolve) => session.once("response.output_audio.delta", () => resolve()));
      session.send({ type: "response.create" });
      await received;
      await closeSession(session);
      // The relay has noticed: only then does it matter that upstream's session stays open.
      await new Promise((resolve) => setTimeout(resolve, 500));
      finish();
      const row = await readRow(ann);
      expect(row).toMatchObject({ prompt_tokens: 10, completion_tokens: 5 });
    });

    it("charges the prompt of a response that was requested and not started when the caller disconnects", async () => {
      const ann = await createCaller();
      at.upstream.next({ isSilent: true });
      const session = await openSession(ann.key, "gpt-4o-realtime-preview");
      const text = "one two three four five six seven eight nine ten ".repeat(20);
      session.send({
        type: "conversation.item.create",
        item: { type: "message", role: "user", content: [{ type: "input_text", text }] },
      });
      session.send({ type: "response.create" });
      await expect.poll(() => at.upstream.calls.at(-1)?.events.length).toBe(2);
      await closeSession(session);
      const row = await readRow(ann);
      expect(row.prompt_tokens).toBeGreaterThanOrEqual(150);
      expect(row.completion_tokens).toBe(0);
    });

    it("sends the caller an error event when upstream is cut", async () => {
      const ann = await createCaller();
      at.upstream.next({ cut: true });
      const session = await openSession(ann.key, "gpt-4o-realtime-preview");
      const error = new Promise<{ error?: { code?: string | null } | undefined }>((resolve) =>
        session.on("error", (failure) => resolve(failure)),
      );
      const closed = once(session.socket, "close");
      session.send({ type: "response.create" });
      expect((await error).error?.code).toBe("stream_interrupted");
      expect((await closed)[0]).toBe(1011);
      expect((await readRow(ann)).quota).toBeGreaterThan(0);
    });

    it("finishes the response when the relay stops, and posts its usage", async () => {
      const ann = await createCaller();
      let finish = (): void => undefined;
      at.upstream.next({ usage: { text: 10, textOut: 5 }, hold: new Promise<void>((resolve) => (finish = resolve)) });
      const session = await openSession(ann.key, "gpt-4o-realtime-preview");
      const begun = new Promise<void>((resolve) => session.once("response.created", () => resolve()));
      const done = new Promise<void>((resolve) => session.once("response.done", () => resolve()));
      const closed = once(session.socket, "close");
      session.send({ type: "response.create" });
      await begun;
      const stopped = at.world.suspend("relay");
      finish();
      await done;
      expect((await closed)[0]).toBe(1001);
      await stopped;
      expect((await readRow(ann)).quota).toBe((10 + 5 * 4) * 2.5);
      await at.world.resume("relay");
    });

    it("charges the finished responses when the relay dies", async () => {
      const ann = await createCaller();
      at.upstream.always({ usage: { text: 10, textOut: 5 } });
      const session = await openSession(ann.key, "gpt-4o-realtime-preview");
      await requestResponse(session);
      await requestResponse(session);
      // The journal record of the second response is on its way to Redis.
      await at.testSite.eventually("a moment", 2_000, async () => ((await ann.balance()) > 0 ? true : undefined));
      const closed = once(session.socket, "close");
      at.world.kill("relay");
      await closed;
      await at.world.waitReady("relay");
      const row = await at.testSite.eventually("the recovered row", 40_000, async () => {
        const { items } = await ann.user.client.get<{ items: LogRow[] }>("/api/log/self", {
          p: 1,
          page_size: 9,
          type: 2,
        });
        return items[0];
      });
      expect(row.quota).toBe(2 * (10 + 5 * 4) * 2.5);
    }, 60_000);
  });
}
