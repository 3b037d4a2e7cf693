import { expect, it } from "vitest";
import { build } from "./openai-fixtures.ts";

const CLOSED = { type: "object", properties: {}, additionalProperties: false };

it("functions without arguments have no properties, and say so", () => {
  const tools = [{ name: "now", parameters: { type: "object" } }];
  const parameters = { type: "object", properties: {} };
  expect(build({ tools })["tools"]).toEqual([{ type: "function", function: { name: "now", parameters } }]);
});

it("forms of answers that OpenAI refuses to be asked for are asked for in words", () => {
  const list = { type: "array", items: { type: "string" } };
  const asked = build({ responseFormat: { type: "json-schema", name: "n", schema: list } });
  expect(asked).not.toHaveProperty("response_format");
  expect(JSON.stringify(asked["messages"])).toMatch(/one JSON value.*JSON schema/);
  const json = { type: "json" } as const;
  const unsaid = build({ responseFormat: json });
  expect(unsaid["response_format"]).toEqual({ type: "json_object" });
  expect(JSON.stringify(unsaid["messages"])).toContain("one JSON object");
  const said = build({ responseFormat: json, system: [{ type: "text", text: "Answer as json." }] });
  expect(said["messages"]).toEqual([
    { role: "system", content: "Answer as json." },
    { role: "user", content: "hi" },
  ]);
});

it("stop words, penalties and parallel calls go to models that know them, as many as they take", () => {
  const stop = ["a", "b", "c", "d", "e"];
  const tools = [{ name: "f", parameters: CLOSED }];
  const fields = { stop, presencePenalty: 1, frequencyPenalty: 1, parallelToolCalls: false, tools };
  expect(build(fields)).toMatchObject({ stop: stop.slice(0, 4), presence_penalty: 1, parallel_tool_calls: false });
  expect(build(fields, "deepseek-chat")["stop"]).toEqual(stop);
  const unknown = ["stop", "presence_penalty", "frequency_penalty", "parallel_tool_calls"];
  const kept = (model: string) => unknown.filter((name) => name in build(fields, model));
  expect([kept("o3"), kept("gpt-5-mini")]).toEqual([[], ["parallel_tool_calls"]]);
});

it("pictures that the assistant made go with the user's next word, behind the results of tools", () => {
  const picture = { type: "image", source: { kind: "base64", mediaType: "image/png", data: "AAAA" } } as const;
  const drawn = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
  const call = { type: "tool-call", id: "c", name: "f", argumentsText: "{}" } as const;
  const [hi, again, done] = ["hi", "Bluer.", "done"].map((text) => ({ type: "text", text }) as const);
  const result = { type: "tool-result", id: "c", parts: done ? [done] : [] } as const;
  const { messages } = build({
    messages: [
      { role: "user", parts: hi ? [hi] : [] },
      { role: "assistant", parts: [picture] },
      { role: "user", parts: again ? [again] : [] },
      { role: "assistant", parts: [picture, call] },
      { role: "user", parts: [result] },
      { role: "assistant", parts: [picture] },
    ],
  });
  expect(messages).toMatchObject([
    { role: "user", content: [{ text: "hi" }, drawn, { text: "Bluer." }] },
    { role: "assistant", tool_calls: [{ id: "c" }] },
    { role: "tool", content: "done" },
    { role: "user", content: [drawn] },
  ]);
});

it("lists in a tool's schema say what they hold, if only anything", () => {
  const list = { type: "array" };
  const schema = {
    type: "object",
    properties: { a: list, b: { anyOf: [{ type: ["array", "null"] }, { type: "string" }] } },
  };
  const { tools } = build({
    tools: [{ name: "f", parameters: { ...schema, $defs: { c: { ...list, items: list } } } }],
  });
  expect(tools).toMatchObject([
    {
      function: {
        parameters: {
          properties: { a: { items: {} }, b: { anyOf: [{ items: {} }, { type: "string" }] } },
          $defs: { c: { items: { type: "array", items: {} } } },
        },
      },
    },
  ]);
});
