import type { ContentPart, Json } from "../../../core/chat/chat.ts";
import { asText, compact } from "../../../core/chat/json.ts";
import type { CacheBreakpoints } from "./message-form.ts";

/** A cache breakpoint as a field of a part or a tool; empty where the provider takes none there. */
export function writeCacheControl(
  given: Json | undefined,
  taken: CacheBreakpoints | undefined,
  where: "text" | "media" | "tool",
): Json {
  if (!given || taken === undefined || (taken === "text" && where !== "text")) return {};
  const type = asText(given["type"]) ?? "ephemeral";
  return { cache_control: compact({ type, ttl: taken === "all" ? asText(given["ttl"]) : undefined }) };
}

/** Whether a part has a cache breakpoint that the provider takes; empty texts are not sent. */
export const isCacheBreakpoint = (part: ContentPart, taken: CacheBreakpoints | undefined): boolean =>
  taken !== undefined &&
  "cacheControl" in part &&
  part.cacheControl !== undefined &&
  !(part.type === "text" && part.text === "");

/** The parts of a tool's result; its breakpoint follows its last text. */
export function getResultParts({ parts, cacheControl }: Extract<ContentPart, { type: "tool-result" }>): ContentPart[] {
  const last = cacheControl === undefined ? -1 : parts.findLastIndex(({ type }) => type === "text");
  return parts.map((part, index) =>
    index === last && part.type === "text" ? compact({ ...part, cacheControl }) : part,
  );
}
