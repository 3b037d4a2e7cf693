import { describe, expect, it } from "vitest";
import type { StreamPart } from "../../core/chat/chat.ts";
import { asObject, asText } from "../../core/chat/json.ts";
import { CONTEXT, events } from "./anthropic-fixtures.ts";
import { anthropicMessages } from "./anthropic-messages.ts";

/** The blocks that a client puts together: their type and their text or arguments. */
function collectBlocks(parts: readonly StreamPart[]): (readonly [type: unknown, content: string])[] {
  const writer = anthropicMessages.newStreamWriter(CONTEXT);
  const written = parts.map((part) => writer.write(part)).join("");
  const blocks: { readonly type: unknown; content: string }[] = [];
  for (const event of events(written)) {
    const block = asObject(event["content_block"]);
    if (block) blocks.push({ type: block["type"], content: asText(block["data"]) ?? "" });
    const delta = asObject(event["delta"]) ?? {};
    const open = blocks[Number(event["index"])];
    if (!open) continue;
    for (const name of ["text", "thinking", "partial_json"]) open.content += asText(delta[name]) ?? "";
  }
  return blocks.map(({ type, content }) => [type, content]);
}

const start = (index: number): StreamPart => ({ type: "tool-call-start", index, id: `toolu_${index}`, name: "f" });
const more = (index: number, argumentsText: string): StreamPart => ({ type: "tool-call-delta", index, argumentsText });
const text = (value: string): StreamPart => ({ type: "text-delta", text: value });
const reasoning = (value: string): StreamPart => ({ type: "reasoning-delta", text: value });
const FINISH: StreamPart = { type: "finish", reason: "tool-calls", usage: undefined };

describe("arguments of a call that other parts interrupt", () => {
  it.each([
    ["blanks, which are left out", [text(" ")], []],
    ["text", [text("Cal"), text("ling.")], [["text", "Calling."]]],
    ["reasoning", [reasoning("hm")], [["thinking", "hm"]]],
    ["redacted reasoning", [{ type: "redacted-reasoning", data: "xyz" }], [["redacted_thinking", "xyz"]]],
    [
      "text and reasoning",
      [text("a"), reasoning("b"), text("c")],
      [
        ["text", "a"],
        ["thinking", "b"],
        ["text", "c"],
      ],
    ],
  ] as const)("are whole, and what interrupted them follows: %s", (_, between, rest) => {
    const parts = [start(0), more(0, '{"a":'), ...between, more(0, '"1"}'), FINISH];
    expect(collectBlocks(parts)).toEqual([["tool_use", '{"a":"1"}'], ...rest]);
  });

  it("are whole if they begin after the interruption", () => {
    expect(collectBlocks([start(0), text("x"), more(0, '{"a":1}'), FINISH])).toEqual([
      ["tool_use", '{"a":1}'],
      ["text", "x"],
    ]);
  });

  it("stay in order with calls that begin meanwhile", () => {
    const parts = [start(0), more(0, "{"), text("x"), start(1), more(1, '{"b":2'), more(0, "}"), more(1, "}"), FINISH];
    expect(collectBlocks(parts)).toEqual([
      ["tool_use", "{}"],
      ["text", "x"],
      ["tool_use", '{"b":2}'],
    ]);
  });

  it("lose nothing if they are never complete", () => {
    expect(collectBlocks([start(0), more(0, '{"a":'), text("x"), FINISH])).toEqual([
      ["tool_use", '{"a":'],
      ["text", "x"],
    ]);
  });

  it("are sent at once, and text after a complete call too", () => {
    const writer = anthropicMessages.newStreamWriter(CONTEXT);
    writer.write(start(0));
    expect(writer.write(more(0, '{"a":'))).toContain("partial_json");
    expect(writer.write(more(0, "1}"))).toContain("partial_json");
    expect(writer.write(text("x"))).toContain('"text":"x"');
  });
});
