import { expect, it } from "vitest";
import type { ChatRequest, ContentPart } from "../chat/chat.ts";
import { withoutOwnImages } from "./own-images.ts";

const TEXT: ContentPart = { type: "text", text: "hi" };
const IMAGE: ContentPart = { type: "image", source: { kind: "url", url: "https://a.example/b.png" } };
const createRequest = (...messages: ChatRequest["messages"]): ChatRequest => ({
  model: "m",
  system: [],
  messages,
  stream: false,
  includeUsage: false,
});

it.each([
  ["deepseek-chat", ["text"]],
  ["gpt-4.1", ["text", "image"]],
  ["a model that is not in the catalogue", ["text", "image"]],
])("keeps images of earlier responses for models that read them: %s", (model, types) => {
  const { messages } = withoutOwnImages(createRequest({ role: "assistant", parts: [TEXT, IMAGE] }), [model]);
  expect(messages[0]?.parts.map(({ type }) => type)).toEqual(types);
});

it("keeps the user's images, which the question is about", () => {
  const request = createRequest({ role: "user", parts: [TEXT, IMAGE] });
  expect(withoutOwnImages(request, ["deepseek-chat"])).toBe(request);
});
