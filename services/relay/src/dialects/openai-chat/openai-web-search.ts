import type { Citation, WebSearch } from "../../core/chat/chat.ts";
import { compact } from "../../core/chat/json.ts";
import { invalidField, optionalObject, optionalText } from "../shared/fields.ts";

const PARAM = "web_search_options";

function parseSize(value: unknown): WebSearch["contextSize"] {
  const size = value ?? "medium";
  if (size === "low" || size === "medium" || size === "high") return size;
  throw invalidField(`${PARAM}.search_context_size`, "must be low, medium or high");
}

function parseLocation(value: unknown): WebSearch["userLocation"] {
  const path = `${PARAM}.user_location`;
  const place = optionalObject(optionalObject(value, path)?.["approximate"], `${path}.approximate`);
  if (!place) return undefined;
  // An empty string counts as absent; providers refuse it.
  const word = (name: string) => optionalText(place[name], `${path}.approximate.${name}`) || undefined;
  const location = compact({
    city: word("city"),
    region: word("region"),
    country: word("country"),
    timezone: word("timezone"),
  });
  return Object.keys(location).length > 0 ? location : undefined;
}

/**
 * Whether and how the model may search the web; undefined if nothing was requested. Throws invalid_request with the
 * path.
 */
export function parseWebSearch(value: unknown): WebSearch | undefined {
  const options = optionalObject(value, PARAM);
  if (!options) return undefined;
  return compact({
    contextSize: parseSize(options["search_context_size"]),
    userLocation: parseLocation(options["user_location"]),
  });
}

/** Citations as the `annotations` of a message or a delta; empty if there are none. */
export function annotationsField(citations: readonly Citation[] | undefined) {
  if (!citations || citations.length === 0) return {};
  return {
    annotations: citations.map(({ url, title, startIndex, endIndex }) => ({
      type: "url_citation",
      url_citation: { start_index: startIndex, end_index: endIndex, title, url },
    })),
  };
}
