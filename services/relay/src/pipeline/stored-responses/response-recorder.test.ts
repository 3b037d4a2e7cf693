import { describe, expect, it, vi } from "vitest";
import type { StreamWriter } from "../../core/call/dialect.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import type { Json, StreamPart } from "../../core/chat/chat.ts";
import { parseItemReasoning } from "../../core/chat/encrypted-reasoning.ts";
import { openAiResponses } from "../../dialects/openai-responses/openai-responses.ts";
import { ResponseRecorder } from "./response-recorder.ts";
import type { EventPiece, StoredContent, StoredResponses } from "./stored-responses.ts";

const CONTEXT = { requestId: "01J00000000000000000000000", model: "m", includeUsage: true, createdAtSeconds: 1 };
const INPUT = [{ type: "message", role: "user", content: "x" }];
const USAGE = { promptTokens: 3, completionTokens: 2 } as never;
const PARTS: readonly StreamPart[] = [
  { type: "start", id: "up", model: "m" },
  { type: "text-delta", text: "Hello" },
  { type: "finish", reason: "stop", usage: USAGE },
];

type Put = { readonly id: string; readonly content: StoredContent; readonly isUpdate: boolean };

function createStore({ isFull = false } = {}) {
  const puts: Put[] = [];
  const texts: string[] = [];
  const responses = {
    put(place: { id: string }, content: StoredContent, { isUpdate }: { isUpdate: boolean }) {
      puts.push({ id: place.id, content, isUpdate });
      return Promise.resolve(!isFull);
    },
    append(_place: unknown, { events }: EventPiece) {
      texts.push(...events.map(({ text }) => text));
      return Promise.resolve({ isStored: true, isCancelled: false });
    },
  } as unknown as StoredResponses;
  return { puts, texts, responses };
}

/** The first run of a background response. */
const toRun = (id: string) => ({
  id,
  run: 0,
  pieces: 0,
  firstNumber: 0,
  onCancelled: () => undefined,
  onTakenOver: () => undefined,
  isOwner: () => Promise.resolve(true),
});
const record = (recorder: ResponseRecorder): RelayCall =>
  recorder.record({ dialect: openAiResponses } as unknown as RelayCall);
const writeAll = (writer: StreamWriter): string => PARTS.map((part) => writer.write(part)).join("");
const readLast = (text: string): Json => {
  const last = text.trim().split("\n\n").at(-1) ?? "";
  return (JSON.parse(last.slice(last.indexOf("data: ") + 6)) as Json)["response"] as Json;
};
const toEvent = (type: string, response: Json) => ({ event: type, data: JSON.stringify({ type, response }) });
const asSeal = {
  body: (raw: Buffer) => raw,
  event: ({ event, data }: { event?: string | undefined; data: string }) =>
    Buffer.from(`event: ${event}\ndata: ${data}\n\n`),
};

describe("recorded response", () => {
  it("ends for its client once it is stored, or after two seconds", async () => {
    vi.useFakeTimers();
    try {
      const { responses } = createStore();
      const stored = Promise.withResolvers<boolean>();
      const slow = Object.assign(responses, { put: () => stored.promise });
      const calls = [1, 2].map(() =>
        record(new ResponseRecorder(slow, { userId: 1, getInput: () => INPUT, previous: undefined })),
      );
      const order: string[] = [];
      for (const call of calls) {
        call.dialect.writeResponse({ parts: [], finishReason: "stop", usage: USAGE } as never, CONTEXT);
        void call.untilStored?.().then(() => order.push("ended"));
      }
      await vi.advanceTimersByTimeAsync(1_900);
      expect(order).toEqual([]);
      await vi.advanceTimersByTimeAsync(200);
      expect(order).toEqual(["ended", "ended"]);
      const call = record(new ResponseRecorder(slow, { userId: 1, getInput: () => INPUT, previous: undefined }));
      writeAll(call.dialect.newStreamWriter(CONTEXT));
      const ended = call.untilStored?.().then(() => order.push("stored"));
      stored.resolve(true);
      await ended;
      expect(order.at(-1)).toBe("stored");
    } finally {
      vi.useRealTimers();
    }
  });

  it("is stored as the client received it, with its conversation and its events", async () => {
    const { puts, texts, responses } = createStore();
    const recorder = new ResponseRecorder(responses, { userId: 1, getInput: () => INPUT, previous: "resp_before" });
    const sent = writeAll(record(recorder).dialect.newStreamWriter(CONTEXT));
    await recorder.close();
    const response = readLast(sent);
    expect(response).toMatchObject({ store: true, previous_response_id: "resp_before", status: "completed" });
    expect(puts).toEqual([{ id: response["id"], content: { response, input: INPUT }, isUpdate: false }]);
    expect(texts.join("")).toBe(sent);
  });

  it.each([false, true])(
    "keeps signed reasoning that its client did not request (streamed: %s)",
    async (isStreamed) => {
      const reasoning: readonly StreamPart[] = [
        { type: "reasoning-delta", text: "Why " },
        { type: "reasoning-delta", text: "not" },
        { type: "reasoning-signature", signature: "s" },
        { type: "redacted-reasoning", data: "d" },
      ];
      const parts = [
        { type: "reasoning", text: "Why not", signature: "s" },
        { type: "redacted-reasoning", data: "d" },
        { type: "text", text: "Hello" },
      ];
      const keep = async (requested: Json): Promise<StoredContent | undefined> => {
        const { puts, responses } = createStore();
        const recorder = new ResponseRecorder(responses, { userId: 1, getInput: () => INPUT, previous: undefined });
        const { dialect } = record(recorder);
        const context = { ...CONTEXT, requested };
        const writer = dialect.newStreamWriter(context);
        if (isStreamed)
          for (const part of [PARTS[0], ...reasoning, ...PARTS.slice(1)]) writer.write(part as StreamPart);
        else dialect.writeResponse({ parts, finishReason: "stop", usage: USAGE } as never, context);
        await recorder.close();
        return puts[0]?.content;
      };
      const kept = await keep({});
      expect(parseItemReasoning({ encrypted_content: kept?.reasoning })).toEqual(parts.slice(0, 2));
      expect(JSON.stringify(kept?.response)).not.toContain("encrypted_content");
      const requested = await keep({ include: ["reasoning.encrypted_content"] });
      expect(requested?.reasoning).toBeUndefined();
      expect(JSON.stringify(requested?.response)).toContain("encrypted_content");
    },
  );

  it("holds the events of the attempt that the client saw", async () => {
    const { texts, responses } = createStore();
    const recorder = new ResponseRecorder(responses, { userId: 1, getInput: () => INPUT, previous: undefined });
    const { dialect } = record(recorder);
    for (const part of PARTS.slice(0, 1)) dialect.newStreamWriter(CONTEXT).write(part);
    const sent = writeAll(dialect.newStreamWriter(CONTEXT));
    await recorder.close();
    expect(texts.join("")).toBe(sent);
  });

  it("is left to the account that stores it, apart from its events", async () => {
    const { puts, texts, responses } = createStore();
    const recorder = new ResponseRecorder(responses, { userId: 1, getInput: () => INPUT, previous: undefined });
    const seal = record(recorder).recordSealed?.(asSeal);
    const upstream = { id: "resp_sealed", status: "completed", output: [] };
    const sent = seal?.event(toEvent("response.completed", upstream)).toString();
    await recorder.close();
    expect(readLast(sent ?? "")).toEqual(upstream);
    expect([puts, texts]).toEqual([[], [sent]]);
  });

  it("of the background has Turnpike's id everywhere, and names the account's for later calls", async () => {
    const { puts, responses } = createStore();
    const background = toRun("resp_own");
    const recorded = { userId: 1, getInput: () => INPUT, previous: undefined, background };
    const recorder = new ResponseRecorder(responses, recorded);
    const seal = record(recorder).recordSealed?.(asSeal);
    const upstream = { id: "resp_sealed", status: "completed", output: [] };
    const sent = seal?.event(toEvent("response.completed", upstream)).toString() ?? "";
    recorder.settle({ id: "resp_own", status: "failed" });
    await recorder.close();
    expect(readLast(sent)).toMatchObject({ id: "resp_own", background: true, store: true });
    expect(puts).toHaveLength(1);
    expect(puts[0]).toMatchObject({ id: "resp_own", isUpdate: true, content: { continues: "resp_sealed" } });
  });

  it("of the background fails where it is too large to be stored, rather than to seem running", async () => {
    const { puts, responses } = createStore({ isFull: true });
    const background = toRun("resp_own");
    const recorder = new ResponseRecorder(responses, {
      userId: 1,
      getInput: () => INPUT,
      previous: undefined,
      background,
    });
    recorder.settle({ id: "resp_own", status: "completed", output: ["large"] });
    await recorder.close();
    expect(puts.at(-1)?.content).toMatchObject({ response: { status: "failed", output: [] }, input: [] });
  });
});
