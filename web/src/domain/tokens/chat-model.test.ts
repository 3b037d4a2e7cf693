import { expect, it } from "vitest";
import { chooseChatModel } from "./chat-model.ts";

it("chooses a cheap chat model, never one for images or audio", () => {
  expect(chooseChatModel(["dall-e-3", "gpt-4o-audio-preview", "gpt-4o", "gpt-4o-mini"])).toBe("gpt-4o-mini");
  expect(chooseChatModel(["text-embedding-3-small", "o3"])).toBe("o3");
  expect(chooseChatModel([])).toBeUndefined();
});
