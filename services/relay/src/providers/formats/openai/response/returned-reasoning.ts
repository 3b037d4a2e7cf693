import type { ContentPart, Json } from "../../../../core/chat/chat.ts";
import { isEncoded } from "../../../../core/chat/encoded-text.ts";
import { CLAUDE_FORMAT, decodeDetails } from "../../../../core/vendors/router-details.ts";
import { isSignedReasoning } from "../../../../core/chat/reasoning.ts";
import type { ReasoningReturn } from "../message-form.ts";

const getReasoning = (parts: readonly ContentPart[]): string =>
  parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join("");

/** Claude refuses reasoning that it did not sign. */
function writeSignedDetails(parts: readonly ContentPart[]): Json {
  const details = parts
    .filter(isSignedReasoning)
    .filter((part) => part.type === "reasoning" || !isEncoded(part.data))
    .map((part, index) =>
      part.type === "reasoning"
        ? { type: "reasoning.text", text: part.text, signature: part.signature, format: CLAUDE_FORMAT, index }
        : { type: "reasoning.encrypted", data: part.data, format: CLAUDE_FORMAT, index },
    );
  return details.length === 0 ? {} : { reasoning_details: details };
}

/** What a model encrypted goes back as it came; else the text does. */
function writeTextDetails(parts: readonly ContentPart[], text: string): Json {
  const encrypted = parts.flatMap((part) => (part.type === "redacted-reasoning" ? decodeDetails(part.data) : []));
  const written = text === "" ? [] : [{ type: "reasoning.text", text, format: "unknown", index: 0 }];
  const details = encrypted.length > 0 ? encrypted : written;
  return { ...(text === "" ? {} : { reasoning: text }), ...(details.length > 0 ? { reasoning_details: details } : {}) };
}

/** The fields of an assistant message that take its reasoning back. */
export function writeReasoning(parts: readonly ContentPart[], form: ReasoningReturn | undefined): Json {
  const text = getReasoning(parts);
  switch (form) {
    case undefined:
      return {};
    case "signed-details":
      return writeSignedDetails(parts);
    case "text-details":
      return writeTextDetails(parts, text);
    case "with-calls":
      return text !== "" || parts.some(({ type }) => type === "tool-call") ? { reasoning_content: text } : {};
    case "as-reasoning":
      return text === "" ? {} : { reasoning: text };
    case "given":
      return text === "" ? {} : { reasoning_content: text };
    case "always":
      return { reasoning_content: text };
  }
}

/** Of a conversation without any reasoning, its model does not expect any. */
export const getExpectedReturn = (
  form: ReasoningReturn | undefined,
  messages: readonly { readonly parts: readonly ContentPart[] }[],
): ReasoningReturn | undefined =>
  form === "with-calls" && !messages.some(({ parts }) => parts.some(({ type }) => type === "reasoning"))
    ? undefined
    : form;
