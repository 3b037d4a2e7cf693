import { describe, expect, it } from "vitest";
import type { ReasoningEffort } from "../../core/chat/chat.ts";
import { findProvider } from "../registry/providers.ts";

const OPENAI = 1;
const AZURE = 3;
const CUSTOM = 8;
const isOver = (type: number, model: string, hasTools: boolean, effort?: ReasoningEffort): boolean => {
  const provider = findProvider(type);
  return (provider?.forModel?.(model, () => ({ hasTools, effort })) ?? provider)?.wireFormat === "own";
};

describe("call with tools of a model whose chat refuses them with reasoning", () => {
  it.each<[string, ReasoningEffort?]>([
    ["gpt-5.4", "high"],
    ["gpt-5.4-mini-2026-03-17", "low"],
    ["gpt-5.4-xhigh"],
    ["gpt-5.5"],
    ["gpt-5.5-2026-04-23", "medium"],
    ["gpt-5.6"],
    ["gpt-5.6-terra", "minimal"],
    ["gpt-6"],
    ["gpt-5.10", "low"],
  ])("uses the Responses API: %s with the effort %s", (model, effort) => {
    expect(isOver(OPENAI, model, true, effort)).toBe(true);
    expect(isOver(AZURE, model, true, effort)).toBe(true);
    expect(isOver(CUSTOM, model, true, effort)).toBe(false);
  });

  it.each<[string, ReasoningEffort?]>([
    ["gpt-5.4"],
    ["gpt-5.4", "none"],
    ["gpt-5.6", "none"],
    ["gpt-5.6-none"],
    ["gpt-5.2", "high"],
    ["gpt-5", "high"],
    ["gpt-5.5-chat-latest"],
    ["gpt-4.1", "high"],
    ["gpt-oss-120b", "high"],
    ["o3", "high"],
  ])("stays in chat: %s with the effort %s", (model, effort) => {
    expect(isOver(OPENAI, model, true, effort)).toBe(false);
  });

  it("stays in chat without tools, and for the channel's test", () => {
    expect(isOver(OPENAI, "gpt-5.6", false, "high")).toBe(false);
    expect(findProvider(OPENAI)?.forModel?.("gpt-5.6").wireFormat).toBe("openai-chat");
  });
});
