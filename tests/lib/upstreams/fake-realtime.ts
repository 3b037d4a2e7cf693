import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";

export type RealtimeUsage = {
  readonly text?: number;
  readonly audio?: number;
  readonly cachedText?: number;
  readonly cachedAudio?: number;
  readonly textOut?: number;
  readonly audioOut?: number;
};

/** How the upstream handles its next sessions. */
export type RealtimeScript = {
  /** Usage of each response; undefined reports none. */
  readonly usage?: RealtimeUsage;
  readonly refuse?: { readonly status: number; readonly code: string };
  readonly noResponse?: boolean;
  /** Opens the session and starts no response. */
  readonly isSilent?: boolean;
  /** Breaks the connection in the middle of a response. */
  readonly cut?: boolean;
  /** Returns the transcript of each committed audio, with this usage. */
  readonly transcript?: object;
  /** Starts a response and pauses until it is continued. */
  readonly hold?: Promise<void>;
};

export type RealtimeCall = {
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly events: unknown[];
};

const getUsage = (usage: RealtimeUsage) => {
  const { text = 0, audio = 0, cachedText = 0, cachedAudio = 0, textOut = 0, audioOut = 0 } = usage;
  return {
    total_tokens: text + audio + textOut + audioOut,
    input_tokens: text + audio,
    output_tokens: textOut + audioOut,
    input_token_details: {
      text_tokens: text,
      audio_tokens: audio,
      image_tokens: 0,
      cached_tokens: cachedText + cachedAudio,
      cached_tokens_details: { text_tokens: cachedText, audio_tokens: cachedAudio, image_tokens: 0 },
    },
    output_token_details: { text_tokens: textOut, audio_tokens: audioOut },
  };
};

/** A second of silence as audio: 24 000 samples of two bytes. */
export const SECOND_OF_AUDIO = Buffer.alloc(48_000).toString("base64");

/** Starts a server of OpenAI's realtime events: a session, and a response for every `response.create`. */
export async function startFakeRealtime() {
  const calls: RealtimeCall[] = [];
  const scripts: RealtimeScript[] = [];
  let usual: RealtimeScript = { usage: { text: 100, audioOut: 10, textOut: 5 } };
  let nextId = 1;

  async function response(socket: WebSocket, script: RealtimeScript): Promise<void> {
    const id = `resp_${nextId++}`;
    const print = (event: Record<string, unknown>): void =>
      socket.send(JSON.stringify({ event_id: `event_${nextId++}`, ...event }));
    const part = { response_id: id, item_id: `item_${id}`, output_index: 0, content_index: 0 };
    const { usage } = script;
    print({
      type: "response.created",
      response: { id, object: "realtime.response", status: "in_progress", output: [] },
    });
    print({ type: "response.output_text.delta", ...part, delta: "Hello " });
    print({ type: "response.output_audio.delta", ...part, delta: SECOND_OF_AUDIO });
    if (script.cut === true) return socket.terminate();
    await script.hold;
    if (socket.readyState !== socket.OPEN) return;
    print({ type: "response.output_text.delta", ...part, delta: "there" });
    print({
      type: "response.done",
      response: { id, object: "realtime.response", status: "completed", output: [], usage: usage && getUsage(usage) },
    });
  }

  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => "realtime" });
  server.on("upgrade", (request, socket, head) => {
    const script = scripts.shift() ?? usual;
    if (script.noResponse === true) return;
    if (script.refuse) {
      const { status, code } = script.refuse;
      const body = JSON.stringify({ error: { message: `refused: ${code}`, type: "invalid_request_error", code } });
      socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n${body}`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (open) => {
      const url = new URL(request.url ?? "/", "http://upstream");
      const call: RealtimeCall = { url, headers: request.headers, events: [] };
      calls.push(call);
      const session = { type: "realtime", id: "sess_1", model: url.searchParams.get("model") };
      open.send(JSON.stringify({ type: "session.created", event_id: "event_0", session }));
      open.on("message", (data: Buffer) => {
        const event = JSON.parse(data.toString()) as { type: string };
        call.events.push(event);
        if (event.type === "response.create" && script.isSilent !== true) void response(open, script);
        if (event.type === "input_audio_buffer.commit" && script.transcript) {
          const type = "conversation.item.input_audio_transcription.completed";
          const reported = { item_id: "item_1", content_index: 0, transcript: "Hello", usage: script.transcript };
          open.send(JSON.stringify({ type, event_id: `event_${nextId++}`, ...reported }));
        }
        if (event.type === "session.update") open.send(JSON.stringify({ ...event, type: "session.updated" }));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    /** Scripts of the next sessions, one each; then the default. */
    next: (...next: RealtimeScript[]): void => void scripts.push(...next),
    always(script: RealtimeScript): void {
      usual = script;
    },
    open: (): number => sockets.clients.size,
    stop(): void {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      server.close();
    },
  };
}

export type FakeRealtime = Awaited<ReturnType<typeof startFakeRealtime>>;
