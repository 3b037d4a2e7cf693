import type { Json } from "../../core/chat/chat.ts";
import { asList, asObject, asObjects, asText } from "../../core/chat/json.ts";

const ADDITION = "tool_addition";
const REMOVAL = "tool_removal";
const COMPACTION = "compaction";

/** Whether a block offers or withdraws a tool from its place in the conversation on. */
export const isToolChange = (type: unknown): boolean => type === ADDITION || type === REMOVAL;

/** The changes in the order of the conversation, also those that a compaction block keeps. */
export const getToolChanges = (body: Json): Json[] =>
  asObjects(body["messages"])
    .flatMap(({ content }) => asObjects(content))
    .flatMap((block) => (block["type"] === COMPACTION ? asObjects(block["tool_changes"]) : [block]))
    .filter(({ type }) => isToolChange(type));

/**
 * The body with the tools that its conversation offers at its end; the same object if nothing changes them. MCP tools
 * are left out: Anthropic runs them. Source: Anthropic API reference, "Messages", blocks `tool_addition` and `tool_removal`.
 */
export function withToolChanges(body: Json): Json {
  const changes = getToolChanges(body);
  if (changes.length === 0) return body;
  const known = new Map<unknown, unknown>(
    asList(body["tools"]).map((tool) => [asObject(tool)?.["name"] ?? tool, tool]),
  );
  const offered = new Map(known);
  for (const { type, tool } of changes) {
    const { definition, name } = asObject(tool) ?? {};
    const changed = asText(name) ?? asObject(definition)?.["name"];
    if (definition !== undefined) known.set(changed, definition);
    if (type === REMOVAL) offered.delete(changed);
    else if (known.has(changed)) offered.set(changed, known.get(changed));
  }
  return { ...body, tools: [...offered.values()] };
}

const hasSummary = (block: Json): boolean => block["type"] === COMPACTION && typeof block["content"] === "string";

/** The messages from the latest summary on: Anthropic ignores what precedes it. */
export function fromSummary(messages: readonly unknown[]): readonly unknown[] {
  const at = messages.findLastIndex((message) => asObjects(asObject(message)?.["content"]).some(hasSummary));
  if (at < 0) return messages;
  const message = asObject(messages[at]) ?? {};
  const content = asObjects(message["content"]);
  return messages.with(at, { ...message, content: content.slice(content.findLastIndex(hasSummary)) }).slice(at);
}
