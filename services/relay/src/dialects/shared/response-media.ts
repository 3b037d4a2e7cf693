import type { ContentPart, StreamPart } from "../../core/chat/chat.ts";
import { toDataUrl } from "../../core/chat/data-url.ts";

type Media = Pick<Extract<StreamPart, { type: "media" }>, "mediaType" | "data">;

/** Generated media as Markdown, for formats without a field for it. */
export const toMarkdownMedia = ({ mediaType, data }: Media): string =>
  `${mediaType.startsWith("image/") ? "![image]" : "[file]"}(${toDataUrl(mediaType, data)})`;

/** The parts of a response with generated images replaced by Markdown. */
export const toMarkdownParts = (parts: readonly ContentPart[]): ContentPart[] =>
  parts.map((part) => {
    if (part.type !== "image" || part.source.kind === "url") return part;
    return { type: "text", text: toMarkdownMedia(part.source) };
  });
