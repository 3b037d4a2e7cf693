import type { ContentPart, Json } from "../../../core/chat/chat.ts";
import { isEncoded } from "../../../core/chat/encoded-text.ts";
import { isSignedReasoning } from "../../../core/chat/reasoning.ts";
import type { ReasoningReturn } from "./message-form.ts";

const CLAUDE_FORMAT = "anthropic-claude-v1";

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

function writeTextDetails(text: string): Json {
  if (text === "") return {};
  return { reasoning: text, reasoning_details: [{ type: "reasoning.text", text, format: "unknown", index: 0 }] };
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
      return writeTextDetails(text);
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
