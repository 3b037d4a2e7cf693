import type { Citation } from "../../chat/chat.ts";
import { asCount, asObject, asObjects, asText } from "../../chat/json.ts";

/** The pages that a message of chat rests on. Source: OpenAI guide, "Web search", `annotations` of chat completions. */
export const readCitations = (annotations: unknown): Citation[] =>
  asObjects(annotations).flatMap((annotation) => {
    const page = asObject(annotation["url_citation"]);
    const url = asText(page?.["url"]);
    if (!page || !url) return [];
    const [startIndex, endIndex] = [asCount(page["start_index"]), asCount(page["end_index"])];
    return [{ url, title: asText(page["title"]) ?? "", startIndex, endIndex }];
  });
