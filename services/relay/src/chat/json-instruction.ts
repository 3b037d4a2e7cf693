import type { ResponseFormat } from "./chat.ts";

/** Asks for JSON in words, for models that have no switch for it; undefined where plain text is wanted. */
export function jsonInstruction(format: ResponseFormat | undefined): string | undefined {
  if (!format || format.type === "text") return undefined;
  const ask = "Answer with one JSON object and nothing else: no explanation, no Markdown fence.";
  return format.type === "json" ? ask : `${ask} It must match this JSON schema: ${JSON.stringify(format.schema)}`;
}
