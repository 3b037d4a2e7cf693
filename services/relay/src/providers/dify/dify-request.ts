import type { ChatRequest, ContentPart, ImageSource, Json } from "../../core/chat/chat.ts";
import { getText, toTurns, unsupportedPart } from "../../core/chat/messages.ts";
import { plainText } from "../shared/plain-text.ts";
import { toFormData } from "../shared/form-data.ts";

/** Dify requires a user; calls without one share a default user. */
const USER = "turnpike";
const LABELS = { user: "USER", assistant: "ASSISTANT" } as const;

const withoutImages = (parts: readonly ContentPart[]): ContentPart[] => parts.filter(({ type }) => type !== "image");

/** An app takes one query: the conversation as one text with labels, a single question unchanged. */
function writeQuery({ system, messages }: ChatRequest): string {
  const turns = toTurns(messages)
    .map(({ role, parts }) => ({ role, text: plainText(withoutImages(parts)) }))
    .filter(({ text }) => text !== "");
  const prompt = getText(system, "\n\n");
  const [only] = turns;
  if (only && turns.length === 1 && prompt === "") return only.text;
  const labelled = turns.map(({ role, text }) => `${LABELS[role]}: \n${text}`);
  return [...(prompt === "" ? [] : [`SYSTEM: \n${prompt}`]), ...labelled].join("\n");
}

const getImages = ({ messages }: ChatRequest): ImageSource[] =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "image" ? [part.source] : [])));

/** Dify fetches image URLs itself; images sent as data were uploaded before. */
function writeFiles(request: ChatRequest, uploaded: readonly string[]): Json[] {
  let sent = 0;
  return getImages(request).map((source) => {
    if (source.kind === "url") return { type: "image", transfer_method: "remote_url", url: source.url };
    const id = uploaded[sent++];
    if (id === undefined) throw unsupportedPart("an image that is not a URL");
    return { type: "image", transfer_method: "local_file", upload_file_id: id };
  });
}

/** The images of a call that must be uploaded first, each as the form that Dify requires. */
export function writeUploads(request: ChatRequest): ReturnType<typeof toFormData>[] {
  const sent = getImages(request).flatMap((source) => (source.kind === "base64" ? [source] : []));
  return sent.map(({ mediaType, data }) => {
    const [, ending = "png"] = mediaType.split("/");
    const file = { name: "file", filename: `image.${ending}`, mediaType, content: Buffer.from(data, "base64") };
    return toFormData({ user: request.user ?? USER }, [file]);
  });
}

/** Builds a body of chat-messages; `uploaded` are the ids returned for the result of `writeUploads`. */
export function buildDifyBody(request: ChatRequest, uploaded: readonly string[] = []): Json {
  const files = writeFiles(request, uploaded);
  return {
    inputs: {},
    query: writeQuery(request),
    response_mode: request.stream ? "streaming" : "blocking",
    user: request.user ?? USER,
    auto_generate_name: false,
    ...(files.length > 0 ? { files } : {}),
  };
}
