import type { ContentPart, StreamPart } from "./chat.ts";
import { toDataUrl } from "./data-url.ts";

type Media = Pick<Extract<StreamPart, { type: "media" }>, "mediaType" | "data">;

/** What a model made beside text, as Markdown: for formats that have no place for it. */
export const toMarkdownMedia = ({ mediaType, data }: Media): string =>
  `${mediaType.startsWith("image/") ? "![image]" : "[file]"}(${toDataUrl(mediaType, data)})`;

/** The parts of an answer with its pictures as Markdown where they stand. */
export const toMarkdownParts = (parts: readonly ContentPart[]): ContentPart[] =>
  parts.map((part) => {
    if (part.type !== "image" || part.source.kind === "url") return part;
    return { type: "text", text: toMarkdownMedia(part.source) };
  });
