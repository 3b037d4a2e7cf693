import type { ChatRequest, ContentPart, Json } from "../../chat/chat.ts";
import { textOf, toTurns, unsupportedPart } from "../../chat/messages.ts";
import { plainText } from "../../chat/plain-text.ts";

/** Dify wants to know a user; calls that name none share one. */
const USER = "turnpike";
const LABELS = { user: "USER", assistant: "ASSISTANT" } as const;

const withoutImages = (parts: readonly ContentPart[]): ContentPart[] => parts.filter(({ type }) => type !== "image");

/** An app answers one query: the conversation as one text with labels, a lone question as it is. */
function writeQuery({ system, messages }: ChatRequest): string {
  const turns = toTurns(messages)
    .map(({ role, parts }) => ({ role, text: plainText(withoutImages(parts)) }))
    .filter(({ text }) => text !== "");
  const prompt = textOf(system, "\n\n");
  const [only] = turns;
  if (only && turns.length === 1 && prompt === "") return only.text;
  const labelled = turns.map(({ role, text }) => `${LABELS[role]}: \n${text}`);
  return [...(prompt === "" ? [] : [`SYSTEM: \n${prompt}`]), ...labelled].join("\n");
}

/** Images are fetched by Dify itself. Throws RelayError invalid_request for images that the caller sent along. */
function writeFiles({ messages }: ChatRequest): Json[] {
  const images = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "image" ? [part.source] : [])));
  return images.map((source) => {
    if (source.kind === "base64") throw unsupportedPart("an image that is not an address");
    return { type: "image", transfer_method: "remote_url", url: source.url };
  });
}

/** A body of chat-messages. */
export function buildDifyBody(request: ChatRequest): Json {
  const files = writeFiles(request);
  return {
    inputs: {},
    query: writeQuery(request),
    response_mode: request.stream ? "streaming" : "blocking",
    user: request.user ?? USER,
    auto_generate_name: false,
    ...(files.length > 0 ? { files } : {}),
  };
}
