import type { Citation, Json } from "../../../../core/chat/chat.ts";
import { asCount, asObject, asObjects, asText } from "../../../../core/chat/json.ts";

/** A cited page; its offsets count from the start of the text in the whole response. Undefined if it has no URL. */
export function getCitation(page: Json, textStart = 0): Citation[] {
  const url = asText(page["url"]);
  if (url === undefined) return [];
  const startIndex = textStart + asCount(page["start_index"]);
  return [{ url, title: asText(page["title"]) ?? "", startIndex, endIndex: textStart + asCount(page["end_index"]) }];
}

/** The pages cited by a chat message. Source: OpenAI guide, "Web search", `annotations` of chat completions. */
export const readCitations = (annotations: unknown): Citation[] =>
  asObjects(annotations).flatMap((annotation) => {
    const page = asObject(annotation["url_citation"]);
    return page?.["url"] ? getCitation(page) : [];
  });
