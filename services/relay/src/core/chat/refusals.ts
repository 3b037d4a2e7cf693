import type { ContentPart } from "./chat.ts";

type TextPart = Extract<ContentPart, { type: "text" }>;

/** A refusal as a part of a response; empty if there is no text. */
export const toRefusal = (text: string | undefined): TextPart[] =>
  text ? [{ type: "text", text, isRefusal: true }] : [];

const isRefusal = (part: ContentPart): part is TextPart => part.type === "text" && part.isRefusal === true;

/** The words of a refusal; empty if the response is none. */
export const getRefusal = (parts: readonly ContentPart[]): string =>
  parts
    .filter(isRefusal)
    .map(({ text }) => text)
    .join("");

/** The other parts. */
export const withoutRefusal = (parts: readonly ContentPart[]): ContentPart[] =>
  parts.filter((part) => !isRefusal(part));
