import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../../core/chat/chat.ts";
import { build } from "./gemini-fixtures.ts";

describe("tools of a Gemini request", () => {
  it("sends results in the order of their calls, since only the order matches them", () => {
    const calls = ["call_1", "call_2"].map(
      (id) => ({ type: "tool-call", id, name: "f", argumentsText: "{}" }) as const,
    );
    const results = ["call_2", "call_1"].map(
      (id) => ({ type: "tool-result", id, parts: [{ type: "text", text: id }] }) as const,
    );
    const { contents } = build({
      messages: [
        { role: "assistant", parts: calls },
        ...results.map((result): ChatMessage => ({ role: "user", parts: [result] })),
      ],
    });
    expect(contents.map(({ role }) => role)).toEqual(["user", "model", "user"]);
    expect(contents[2]?.parts).toEqual(
      ["call_1", "call_2"].map((id) => ({ functionResponse: { name: "f", response: { result: id } } })),
    );
  });

  it("adds placeholder signatures to the first call of a turn for the third generation", () => {
    const calls = ["a", "b"].map((id) => ({ type: "tool-call", id, name: "f", argumentsText: "{}" }) as const);
    const messages: ChatMessage[] = [{ role: "assistant", parts: calls }];
    const signatures = (model: string) =>
      build({ messages }, { model }).contents[1]?.parts.map((part) => part["thoughtSignature"]);
    expect(signatures("gemini-3-flash-preview")).toEqual(["skip_thought_signature_validator", undefined]);
    expect(signatures("gemini-2.5-flash")).toEqual([undefined, undefined]);
  });

  it.each([
    [{ type: "auto" }, { mode: "AUTO" }],
    [{ type: "none" }, { mode: "NONE" }],
    [{ type: "required" }, { mode: "ANY" }],
    [
      { type: "tool", name: "f" },
      { mode: "ANY", allowedFunctionNames: ["f"] },
    ],
  ] as const)("maps the tool choice %j", (toolChoice, functionCallingConfig) => {
    expect(build({ tools: [{ name: "f", parameters: {} }], toolChoice })).toMatchObject({
      toolConfig: { functionCallingConfig },
    });
  });
});
