import { describe, expect, it } from "vitest";
import { RelayError } from "../../core/errors/relay-error.ts";
import { openAiCompact } from "./compact.ts";
import { checkItems, checkMetadata } from "./field-shapes.ts";
import { openAiResponses } from "./openai-responses.ts";

function getParam(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof RelayError && error.code === "invalid_request") return error.param;
    throw error;
  }
  return undefined;
}

const readParam = (fields: object) =>
  getParam(() => openAiResponses.readFields({ model: "m", input: "x", ...fields }, undefined));
const ofPart = (part: unknown) => ({ input: [{ role: "user", content: [part] }] });
const ofItem = (item: unknown) => ({ input: [item] });
const ofTool = (tool: unknown) => ({ tools: [tool] });
const CALL = { type: "function_call", call_id: "c", name: "f", arguments: "{}" };
const OUTPUT = { type: "function_call_output", call_id: "c", output: "x" };

/** Fields with one type; each is refused with the others. */
const BY_TYPE = {
  text: [
    "instructions",
    "previous_response_id",
    "prompt_cache_key",
    "prompt_cache_retention",
    "safety_identifier",
    "service_tier",
    "truncation",
    "user",
  ],
  boolean: ["background", "parallel_tool_calls", "store", "stream"],
  number: [
    "frequency_penalty",
    "max_output_tokens",
    "max_tool_calls",
    "presence_penalty",
    "temperature",
    "top_logprobs",
    "top_p",
  ],
  list: ["context_management", "include", "tools"],
  object: ["metadata", "prompt", "reasoning", "stream_options", "text", "usage"],
  textOrList: ["input"],
  textOrObject: ["conversation", "tool_choice"],
} as const;
const VALUES = { text: "auto", boolean: true, number: 5, list: [5], object: { type: 5, id: 5 } } as const;

describe("fields of a call of the Responses API", () => {
  const wrong = Object.entries(BY_TYPE).flatMap(([type, names]) =>
    names.flatMap((name) =>
      Object.entries(VALUES)
        .filter(([other]) => !type.toLowerCase().includes(other))
        .map(([, value]) => [name, value] as const),
    ),
  );
  it.each(wrong)("refuses %s of another type: %j", (name, value) => expect(readParam({ [name]: value })).toBe(name));

  it.each<[string, object]>([
    ["metadata.a", { metadata: { a: 5 } }],
    ["include[1]", { include: ["x", 5] }],
    ["conversation.id", { conversation: {} }],
    ["prompt.id", { prompt: {} }],
    ["prompt.variables", { prompt: { id: "p", variables: 5 } }],
    ["reasoning.effort", { reasoning: { effort: 5 } }],
    ["reasoning.summary", { reasoning: { summary: {} } }],
    ["text.format", { text: { format: 5 } }],
    ["text.format.type", { text: { format: { type: 5 } } }],
    ["text.verbosity", { text: { verbosity: 5 } }],
    ["tool_choice.name", { tool_choice: { type: "function" } }],
    ["usage.include", { usage: { include: "yes" } }],
    ["tools[0]", ofTool(5)],
    ["tools[0].type", ofTool({})],
    ["tools[0].name", ofTool({ type: "function" })],
    ["tools[0].name", ofTool({ type: "custom", name: 5 })],
    ["tools[0].parameters", ofTool({ type: "function", name: "f", parameters: 5 })],
    ["tools[0].strict", ofTool({ type: "function", name: "f", strict: "yes" })],
    ["tools[0].tools[0].name", ofTool({ type: "namespace", name: "n", tools: [{ type: "function" }] })],
    ["input[0]", ofItem(5)],
    ["input[0].id", ofItem({ role: "user", content: "x", id: 7 })],
    ["input[0].role", ofItem({ role: 5, content: "x" })],
    ["input[0].content", ofItem({ role: "user", content: 5 })],
    ["input[0].content[0]", ofPart("x")],
    ["input[0].content[0].text", ofPart({ type: "input_text", text: 5 })],
    ["input[0].encrypted_content", ofItem({ type: "reasoning", summary: [], encrypted_content: 5 })],
    ["input[0].summary", ofItem({ type: "reasoning", summary: "x" })],
    ["input[0].name", ofItem({ ...CALL, name: 5 })],
    ["input[0].arguments", ofItem({ ...CALL, arguments: {} })],
    ["input[0].call_id", ofItem({ ...OUTPUT, call_id: 5 })],
    ["input[0].output", ofItem({ ...OUTPUT, output: {} })],
  ])("names %s", (path, fields) => {
    expect(readParam(fields)).toBe(path);
    expect(getParam(() => openAiCompact.readFields({ model: "m", input: "x", ...fields }, undefined))).toBe(path);
  });

  it.each<object>([
    Object.fromEntries(
      Object.values(BY_TYPE).flatMap((names) => names.flatMap((name) => (name === "input" ? [] : [[name, null]]))),
    ),
    { tool_choice: "auto", truncation: "auto", metadata: { a: "b" }, a_later_field: { of: "any form" } },
    { tool_choice: { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "f" }] } },
    {
      tools: [
        { type: "web_search", filters: null },
        { type: "mcp", server_label: "s" },
        { type: "a_later_tool", name: {} },
      ],
    },
    { tools: [{ type: "namespace", name: "n", tools: [{ type: "function", name: "f", parameters: null }] }] },
    ofItem({ type: "reasoning", id: "rs_1", summary: [], content: null, encrypted_content: null }),
    ofItem({ type: "tool_search_call", call_id: null, arguments: { query: "x" } }),
    ofItem({ type: "computer_call_output", call_id: "c", output: { type: "computer_screenshot" } }),
    ofItem({ ...OUTPUT, output: [{ type: "input_image", image_url: "data:" }] }),
    ofItem({ type: "item_reference", id: "msg_1" }),
    ofItem({ id: "msg_1" }),
  ])("takes %j", (fields) => expect(readParam(fields)).toBeUndefined());
});

describe("fields of a conversation", () => {
  it("names the items and the metadata that have another type", () => {
    expect(getParam(() => checkItems(5, "items"))).toBe("items");
    expect(getParam(() => checkItems([{ role: "user", content: "x" }, 5], "items"))).toBe("items[1]");
    expect(getParam(() => checkMetadata([], "metadata"))).toBe("metadata");
    expect(getParam(() => checkMetadata({ a: {} }, "metadata"))).toBe("metadata.a");
  });
});
