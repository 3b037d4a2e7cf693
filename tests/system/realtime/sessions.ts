import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { SECOND_OF_AUDIO } from "../../lib/upstreams/fake-realtime.ts";
import { startSocksProxy } from "../../lib/network/socks-proxy.ts";
import { CREDIT, type RealtimeSite } from "./realtime-site.ts";

/** Sessions that their caller ends: what passes, by which channel, and what it costs. */
export function sessions(at: RealtimeSite): void {
  describe("Realtime session", () => {
    const { createCaller, readRow, openSession, requestResponse, closeSession, getRefusal } = at;
    it.each(["relay", "gateway"])(
      "passes events both ways through the %s, and writes one row with the sum of the responses",
      async (way) => {
        const ann = await createCaller();
        at.upstream.always({
          usage: { text: 100, cachedText: 40, audio: 50, cachedAudio: 10, textOut: 5, audioOut: 20 },
        });
        const session = await openSession(
          ann.key,
          "gpt-4o-realtime-preview",
          way === "relay" ? at.relayFront : at.gatewayFront,
        );
        const types = await requestResponse(session);
        expect(types).toEqual([
          "response.created",
          "response.output_text.delta",
          "response.output_audio.delta",
          "response.output_text.delta",
          "response.done",
        ]);
        session.send({ type: "input_audio_buffer.append", audio: SECOND_OF_AUDIO });
        await requestResponse(session);
        await closeSession(session);
        const row = await readRow(ann);
        expect(row).toMatchObject({ prompt_tokens: 300, completion_tokens: 50, is_stream: true });
        // Text 60 × 2.5, cached 50 × 1.25, audio 40 × 20, text out 5 × 10, audio out 20 × 40, twice.
        expect(row.quota).toBe(2 * (150 + 62.5 + 800 + 50 + 800));
        expect(JSON.parse(row.other)).toMatchObject({ ws: true, audio: true, audio_input: 80, audio_output: 40 });
        await at.testSite.eventually("the balance", 3_000, async () =>
          (await ann.balance()) === CREDIT - row.quota ? true : undefined,
        );
        const call = at.upstream.calls.at(-1);
        expect([call?.url.pathname, call?.url.search]).toEqual(["/v1/realtime", "?model=gpt-4o-realtime-preview"]);
        expect(call?.headers.authorization).toBe("Bearer up-key");
        expect(JSON.stringify(call?.headers)).not.toContain(ann.key);
        expect(call?.events).toHaveLength(3);
      },
    );

    it("returns the log row's id in the opening response", async () => {
      const ann = await createCaller();
      const { WebSocket } = await import("ws");
      const address = `${at.world.relayUrl.replace("http", "ws")}/v1/realtime?model=gpt-realtime`;
      const socket = new WebSocket(address, ["realtime", `openai-insecure-api-key.${ann.key}`]);
      const closed = once(socket, "close");
      const opened = once(socket, "upgrade");
      socket.on("open", () => socket.send('{"type":"response.create"}'));
      socket.on("message", (frame: Buffer) => frame.includes("response.done") && socket.close());
      const [response] = (await opened) as [IncomingMessage];
      await closed;
      expect((await readRow(ann)).request_id).toBe(response.headers["x-request-id"]);
    });

    it.each([
      [
        "tokens",
        { type: "tokens", input_tokens: 30, output_tokens: 12, input_token_details: { audio_tokens: 30 } },
        30,
      ],
      ["seconds", { type: "duration", seconds: 6 }, 100],
    ])("charges the transcript usage that upstream reports, in %s", async (_, transcript, input) => {
      const ann = await createCaller();
      at.upstream.next({ transcript });
      const session = await openSession(ann.key, "gpt-4o-realtime-preview");
      const received = new Promise<void>((resolve) =>
        session.once("conversation.item.input_audio_transcription.completed", () => resolve()),
      );
      session.send({ type: "input_audio_buffer.append", audio: SECOND_OF_AUDIO });
      session.send({ type: "input_audio_buffer.commit" });
      await received;
      await closeSession(session);
      const row = await readRow(ann);
      const output = transcript.type === "tokens" ? 12 : 0;
      expect(row).toMatchObject({ prompt_tokens: input, completion_tokens: output });
      expect(row.quota).toBe((input + output * 4) * 2.5);
    });

    it("uses the channel's socks5 proxy, and no other way if it is down", async () => {
      const proxy = await startSocksProxy();
      const base = { type: 1, key: "up-key", base_url: at.upstream.url, group: "default" };
      for (const [models, port] of [
        ["proxied-voice", proxy.port],
        ["lost-voice", 1],
      ])
        await at.testSite.root.post("/api/channel/", {
          ...base,
          name: models,
          models,
          setting: JSON.stringify({ proxy: `socks5://127.0.0.1:${port}` }),
        });
      const ann = await createCaller();
      await at.testSite.eventually("the channels", 5_000, async () => {
        const { status } = await getRefusal("?model=lost-voice", ["realtime", `openai-insecure-api-key.${ann.key}`]);
        return status === 502 || undefined;
      });
      const before = at.upstream.calls.length;
      const session = await openSession(ann.key, "proxied-voice");
      await requestResponse(session);
      await closeSession(session);
      expect(proxy.requested).toEqual([new URL(at.upstream.url).host]);
      expect(at.upstream.calls.length).toBe(before + 1);
      proxy.stop();
    });

    it("accepts the key in the subprotocol, where browsers must put it", async () => {
      const ann = await createCaller();
      const url = `${at.world.relayUrl.replace("http", "ws")}/v1/realtime?model=gpt-realtime`;
      const socket = new WebSocket(url, ["realtime", `openai-insecure-api-key.${ann.key}`, "openai-beta.realtime-v1"]);
      const first = await new Promise<MessageEvent>((resolve) =>
        socket.addEventListener("message", resolve, { once: true }),
      );
      expect(JSON.parse(String(first.data))).toMatchObject({ type: "session.created" });
      expect(socket.protocol).toBe("realtime");
      expect(at.upstream.calls.at(-1)?.headers).toMatchObject({ "openai-beta": "realtime=v1" });
      expect(at.upstream.calls.at(-1)?.headers["sec-websocket-protocol"]).toBe("realtime");
      socket.close();
    });

    it("reaches Azure's deployment, and charges a price per call once", async () => {
      const ann = await createCaller();
      const session = await openSession(ann.key, "azure-realtime");
      await requestResponse(session);
      await requestResponse(session);
      await closeSession(session);
      expect((await readRow(ann)).quota).toBe(5_000);
      const { url, headers } = at.upstream.calls.at(-1) ?? {};
      expect([url?.pathname, url?.searchParams.get("deployment"), url?.searchParams.get("api-version")]).toEqual([
        "/openai/realtime",
        "my deployment",
        "2025-04-01-preview",
      ]);
      expect(headers?.["api-key"]).toBe("az-key");
    });

    it("refuses sessions in HTTP before they start, at no cost", async () => {
      const ann = await createCaller();
      const protocols = ["realtime", `openai-insecure-api-key.${ann.key}`];
      const getCode = async (query: string, offered = protocols) => {
        const { status, body } = await getRefusal(query, offered);
        return [status, body.error.code];
      };
      expect(await getCode("?model=gpt-realtime", ["realtime"])).toEqual([401, "invalid_api_key"]);
      expect(await getCode("")).toEqual([400, "invalid_request"]);
      expect(await getCode("?model=nothing")).toEqual([404, "model_not_found"]);
      expect(await getCode("?model=claude-voice")).toEqual([503, "no_available_channel"]);
      at.upstream.next({ refuse: { status: 400, code: "bad_session" } });
      expect(await getCode("?model=gpt-4o-realtime-preview")).toEqual([400, "bad_session"]);
      expect(await ann.balance()).toBe(CREDIT);
    });

    it("uses the next channel if one refuses before any event", async () => {
      const ann = await createCaller();
      at.upstream.next({ refuse: { status: 500, code: "broken" } });
      const session = await openSession(ann.key, "gpt-realtime");
      await requestResponse(session);
      await closeSession(session);
      const { other } = await at.testSite.readLogRow((await readRow(ann)).request_id);
      const { admin_info } = JSON.parse(other) as { admin_info: { use_channel: string[] } };
      expect(new Set(admin_info.use_channel).size).toBe(2);
    });

    it("blocks forbidden content, and continues", async () => {
      const ann = await createCaller();
      at.upstream.always({ usage: { text: 10, textOut: 5 } });
      const session = await openSession(ann.key, "gpt-4o-realtime-preview");
      const error = new Promise<{ error?: { code?: string | null } | undefined }>((resolve) =>
        session.on("error", (failure) => resolve(failure)),
      );
      session.send({
        type: "conversation.item.create",
        item: { type: "message", role: "user", content: [{ type: "input_text", text: "say TEST_sensitive" }] },
      });
      expect((await error).error?.code).toBe("sensitive_words_detected");
      await requestResponse(session);
      await closeSession(session);
      expect(JSON.stringify(at.upstream.calls.at(-1)?.events)).not.toContain("sensitive");
    });
  });
}
