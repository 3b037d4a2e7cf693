import type { Citation, Json } from "../../core/chat/chat.ts";
import { asCount, asObject, asObjects, asText } from "../../core/chat/json.ts";

/** A page that a text rests on; its places count from where the text begins in the whole answer. None where it has no address. */
export function citationOf(page: Json, textStart = 0): Citation[] {
  const url = asText(page["url"]);
  if (url === undefined) return [];
  const startIndex = textStart + asCount(page["start_index"]);
  return [{ url, title: asText(page["title"]) ?? "", startIndex, endIndex: textStart + asCount(page["end_index"]) }];
}

/** The pages that a message of chat rests on. Source: OpenAI guide, "Web search", `annotations` of chat completions. */
export const readCitations = (annotations: unknown): Citation[] =>
  asObjects(annotations).flatMap((annotation) => {
    const page = asObject(annotation["url_citation"]);
    return page?.["url"] ? citationOf(page) : [];
  });
