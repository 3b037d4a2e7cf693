import { describe, expect, it } from "vitest";
import { targetFor } from "../shared/fixtures.ts";
import { anthropic } from "./anthropic.ts";

const target = targetFor({ channelType: 14, model: "claude-sonnet-4-5" });
const user = { role: "user", content: "hi" };
const text = { type: "text", text: "Hello." };
const signed = { type: "thinking", thinking: "hm", signature: "sig" };
const getBody = (...messages: object[]) => ({ model: "claude-sonnet-4-5", max_tokens: 10, messages });

describe("conversation started by another model", () => {
  it.each([{ signature: "" }, {}])("is sent to Claude without reasoning that Claude did not sign: %j", (signature) => {
    const reasoning = { type: "thinking", thinking: "of another", ...signature };
    const body = getBody(user, { role: "assistant", content: [reasoning, text] }, user, {
      role: "assistant",
      content: [reasoning],
    });
    expect(anthropic.adaptBody?.(body, target)).toEqual(getBody(user, { role: "assistant", content: [text] }, user));
  });

  it("loses its budget too if it continues from calls whose reasoning was removed", () => {
    const thinking = { type: "enabled", budget_tokens: 2_000 };
    const call = { type: "tool_use", id: "t", name: "f", input: {} };
    const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "done" }] };
    const unsigned = { type: "thinking", thinking: "of another", signature: "" };
    const toResponse = (...content: object[]) => getBody(user, { role: "assistant", content }, result);
    const adapt = (body: object) => anthropic.adaptBody?.({ ...body, thinking }, target);
    expect(adapt(toResponse(unsigned, call))).toEqual(toResponse(call));
    expect(adapt(toResponse(signed, unsigned, call))).toEqual({ ...toResponse(signed, call), thinking });
  });

  it("is passed through if all reasoning is signed, or there is none", () => {
    const body = getBody(user, { role: "assistant", content: [signed, text] }, { role: "user", content: [] });
    expect(anthropic.adaptBody?.(body, target)).toBe(body);
  });
});
