import OpenAI from "openai";
import { zodTextFormat } from "openai/helpers/zod";
import { ResponsesWS } from "openai/resources/responses/ws";
import type { ResponseInputItem, ResponseStreamEvent } from "openai/resources/responses/responses";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Scenario } from "../../lib/fake-upstream/scenario.ts";

export type ResponsesPlace = {
  readonly url: () => string;
  readonly key: () => string;
  /** A model of an OpenAI account, which keeps responses itself. */
  readonly openaiModel: string;
  /** A model of a provider that keeps none. */
  readonly otherModel: string;
  /** Scripts the other provider's next response. */
  readonly next: (scenario: Scenario) => void;
};

const POLL = { interval: 100, timeout: 20_000 };
const WAIT_MS = 15_000;

/** Every call that OpenAI's own client has for responses and conversations. */
export function responsesCalls({ url, key, openaiModel, otherModel, next }: ResponsesPlace): void {
  let client: OpenAI;
  beforeAll(() => {
    client = new OpenAI({ baseURL: `${url()}/v1`, apiKey: key(), maxRetries: 0, timeout: 30_000 });
  });
  const notFound = (call: Promise<unknown>) => expect(call).rejects.toBeInstanceOf(OpenAI.NotFoundError);

  describe.each([openaiModel, otherModel])("OpenAI's client with %s", (model) => {
    it("creates, retrieves, lists the input of, continues and deletes a response", async () => {
      const made = await client.responses.create({ model, input: "x" });
      expect(made).toMatchObject({ status: "completed", object: "response" });
      expect(made.output_text).not.toBe("");
      expect(await client.responses.retrieve(made.id)).toEqual(made);
      const items = [];
      for await (const item of client.responses.inputItems.list(made.id, { limit: 1 })) items.push(item);
      expect(items).toHaveLength(1);
      const continued = client.responses.stream({ model, input: "y", previous_response_id: made.id });
      expect(await continued.finalResponse()).toMatchObject({ status: "completed", previous_response_id: made.id });
      await client.responses.delete(made.id);
      await notFound(client.responses.retrieve(made.id));
    });

    it("runs a response in the background, polls it and reads its stream again", async () => {
      const made = await client.responses.create({ model, input: "x", background: true });
      await expect.poll(async () => (await client.responses.retrieve(made.id)).status, POLL).toBe("completed");
      const events: ResponseStreamEvent[] = [];
      const stream = await client.responses.retrieve(made.id, { stream: true, starting_after: 1 });
      for await (const event of stream) events.push(event);
      expect(events[0]?.sequence_number).toBe(2);
      expect(events.at(-1)).toMatchObject({ type: "response.completed", response: { id: made.id } });
      const final = await client.responses.stream({ response_id: made.id, starting_after: 1 }).finalResponse();
      expect(final).toMatchObject({ id: made.id, status: "completed" });
    });

    it("counts the tokens of an input", async () => {
      const { object, input_tokens: tokens } = await client.responses.inputTokens.count({ model, input: "x" });
      expect([object, tokens > 0]).toEqual(["response.input_tokens", true]);
    });

    it("compacts a conversation and continues from the result", async () => {
      const input = [{ role: "user" as const, content: "x" }];
      const { object, output, usage } = await client.responses.compact({ model, input });
      expect(object).toBe("response.compaction");
      expect(usage.total_tokens).toBeGreaterThan(0);
      const after: ResponseInputItem[] = [...(output as ResponseInputItem[]), { role: "user", content: "next" }];
      expect((await client.responses.create({ model, input: after })).status).toBe("completed");
    });

    it("compacts by a trigger in a streamed response, as Codex does", async () => {
      const trigger = { type: "compaction_trigger" } as unknown as ResponseInputItem;
      const input: ResponseInputItem[] = [{ role: "user", content: "x" }, trigger];
      const { output, status } = await client.responses.stream({ model, input, store: false }).finalResponse();
      expect([status, output.map(({ type }) => type)]).toEqual(["completed", ["compaction"]]);
      const after: ResponseInputItem[] = [...(output as ResponseInputItem[]), { role: "user", content: "next" }];
      expect((await client.responses.create({ model, input: after })).status).toBe("completed");
    });

    it("continues over a WebSocket", async () => {
      const socket = new ResponsesWS(client);
      try {
        const end = () => {
          const limit = AbortSignal.timeout(WAIT_MS);
          return new Promise<OpenAI.Responses.Response>((resolve, reject) => {
            limit.addEventListener("abort", () => reject(new Error("the response did not end")), { once: true });
            socket.once("response.completed", ({ response }) => resolve(response));
            socket.once("error", reject);
          });
        };
        const first = end();
        socket.send({ type: "response.create", model, input: "x" });
        const { id } = await first;
        const second = end();
        socket.send({ type: "response.create", model, input: "y", previous_response_id: id });
        expect(await second).toMatchObject({ status: "completed", previous_response_id: id });
      } finally {
        socket.close();
      }
    });
  });

  it("parses structured output", async () => {
    next({ text: '{"answer":"teal"}' });
    const format = zodTextFormat(z.object({ answer: z.string() }), "answer");
    const { output_parsed: parsed } = await client.responses.parse({
      model: otherModel,
      input: "Which?",
      text: { format },
    });
    expect(parsed).toEqual({ answer: "teal" });
  });

  it("cancels a response that runs in the background", async () => {
    next({ pieces: 300, frameGapMs: 100 });
    const { id } = await client.responses.create({ model: otherModel, input: "x", background: true });
    expect(await client.responses.cancel(id)).toMatchObject({ id, status: "cancelled" });
    expect((await client.responses.retrieve(id)).status).toBe("cancelled");
  });

  it.each([
    ["at its account", openaiModel, 2],
    ["of a provider that keeps none", otherModel, 4],
  ])("makes, uses, changes and deletes a conversation and its items: %s", async (_, model, count) => {
    const items = [{ type: "message" as const, role: "user" as const, content: "first" }];
    const { id } = await client.conversations.create({ items, metadata: { topic: "a" } }, { query: { model } });
    const used = await client.responses.create({ model, input: "x", conversation: id });
    expect(used.status).toBe("completed");
    await client.conversations.update(id, { metadata: { topic: "b" } });
    expect(await client.conversations.retrieve(id)).toMatchObject({ id, metadata: { topic: "b" } });
    const added = await client.conversations.items.create(id, { items });
    const item = added.data[0]?.id ?? "";
    const listed = [];
    for await (const each of client.conversations.items.list(id, { limit: 20 })) listed.push(each.id);
    expect(listed).toHaveLength(count);
    expect(await client.conversations.items.retrieve(item, { conversation_id: id })).toMatchObject({ id: item });
    expect(await client.conversations.items.delete(item, { conversation_id: id })).toMatchObject({ id });
    await notFound(client.conversations.items.retrieve(item, { conversation_id: id }));
    expect(await client.conversations.delete(id)).toMatchObject({ id, deleted: true });
    await notFound(client.conversations.retrieve(id));
  });
}
