import { expect, it } from "vitest";
import type { StreamPart } from "../../core/chat/chat.ts";
import { countStep, createGeneratedText } from "./generated-text.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** Counts a token for each character. */
const tokenizer: Tokenizer = {
  count: async (texts) => texts.map(({ length }) => length),
  sample: ({ length }, take) => take(length),
};
const IMAGE: StreamPart = { type: "media", mediaType: "image/png", data: "iVBORw0KGgo=" };

it.each<[string, StreamPart, boolean]>([
  ["the model", IMAGE, true],
  ["a tool, whose call is charged", { ...IMAGE, isOfTool: true }, false],
])("counts the tokens of an image that the model made, and of no other: %s", async (_, part, isCounted) => {
  const produced = createGeneratedText(tokenizer);
  produced.add("Hello");
  countStep(part, produced);
  expect((await produced.tokens()) > "Hello".length).toBe(isCounted);
});
