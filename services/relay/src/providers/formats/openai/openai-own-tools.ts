import { NO_USAGE } from "@turnpike/contract/pricing/quota";
import { type TokenUsage, withParts } from "@turnpike/contract/pricing/usage";
import type { Json, ReportedUsage } from "../../../core/chat/chat.ts";
import { asObject, asText } from "../../../core/chat/json.ts";

/** A tool's price depends on the action: opening a found page is not a search. */
function getName(item: Json): string | undefined {
  switch (item["type"]) {
    case "web_search_call":
      return (asText(asObject(item["action"])?.["type"]) ?? "search") === "search" ? "web_search" : undefined;
    case "file_search_call":
      return "file_search";
    case "image_generation_call":
      return `image_generation/${asText(item["quality"]) ?? "auto"}/${asText(item["size"]) ?? "auto"}`;
    case "code_interpreter_call":
      return "code_interpreter";
    default:
      return undefined;
  }
}

/** OpenAI bills a container of the code interpreter once, whatever number of calls it runs. */
const getContainer = (item: Json): string | undefined =>
  item["type"] === "code_interpreter_call" ? asText(item["container_id"]) : undefined;

/** Counts calls of the tools that OpenAI runs itself, by the names of the contract's tool prices. */
export function createToolCount() {
  const counts: Record<string, number> = {};
  const containers = new Set<string>();
  return {
    /** Counts one item of a response's output. */
    add(value: unknown): void {
      const item = asObject(value) ?? {};
      const name = getName(item);
      const container = getContainer(item);
      if (container !== undefined && containers.has(container)) return;
      if (container !== undefined) containers.add(container);
      if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
    },
    /** The usage including the counted calls. */
    onto: (usage: ReportedUsage): ReportedUsage => usage && withTools(usage, counts),
    /** Only the counted calls, for a response whose usage is not reported yet; undefined if there are none. */
    alone: (): ReportedUsage => (Object.keys(counts).length === 0 ? undefined : withTools(NO_USAGE, counts)),
  };
}

const withTools = (usage: TokenUsage, toolCalls: Readonly<Record<string, number>>): TokenUsage =>
  withParts(usage, { toolCalls });
