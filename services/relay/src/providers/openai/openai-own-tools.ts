import { NO_USAGE } from "@turnpike/contract/pricing/quota";
import { type TokenUsage, withParts } from "@turnpike/contract/pricing/usage";
import type { Json, ReportedUsage } from "../../core/chat/chat.ts";
import { asObject, asText } from "../../core/chat/json.ts";

/** A tool's price goes by what it did: opening a page that was found is no search. */
function nameOf(item: Json): string | undefined {
  switch (item["type"]) {
    case "web_search_call":
      return (asText(asObject(item["action"])?.["type"]) ?? "search") === "search" ? "web_search" : undefined;
    case "file_search_call":
      return "file_search";
    case "image_generation_call":
      return `image_generation/${asText(item["quality"]) ?? "auto"}/${asText(item["size"]) ?? "auto"}`;
    default:
      return undefined;
  }
}

/** Counts calls of the tools that OpenAI runs itself, by the names of the contract's tool prices. */
export function createToolCount() {
  const counts: Record<string, number> = {};
  return {
    /** One item of a response's output. */
    add(value: unknown): void {
      const name = nameOf(asObject(value) ?? {});
      if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
    },
    /** The usage with what was counted. */
    onto: (usage: ReportedUsage): ReportedUsage => usage && withTools(usage, counts),
    /** What was counted alone, of an answer whose usage is not told yet; undefined where nothing was. */
    alone: (): ReportedUsage => (Object.keys(counts).length === 0 ? undefined : withTools(NO_USAGE, counts)),
  };
}

const withTools = (usage: TokenUsage, toolCalls: Readonly<Record<string, number>>): TokenUsage =>
  withParts(usage, { toolCalls });
