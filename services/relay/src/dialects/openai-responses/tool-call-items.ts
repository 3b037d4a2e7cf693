import type { Json } from "../../core/chat/chat.ts";
import { asObjects, asText, compact } from "../../core/chat/json.ts";
import { toActionArguments, LOCAL_SHELL, searchArguments, shellAction, TOOL_SEARCH } from "./client-tools.ts";
import { toInputArguments, readInput } from "./custom-tools.ts";
import type { OfferedTool, ToolCatalog, ToolKind } from "./tool-catalog.ts";

/** A call as a model wrote it; its name is the one in chat, its arguments are absent while it is being written. */
export type WrittenCall = { readonly id: string; readonly name: string; readonly argumentsText: string | undefined };

const PREFIXES: Readonly<Record<ToolKind, string>> = {
  function: "fc",
  custom: "ctc",
  "local-shell": "lsh",
  "tool-search": "tsc",
};

/** The id prefix of a tool's calls. */
export const callPrefix = (tool: OfferedTool | undefined): string => PREFIXES[tool?.kind ?? "function"];

/** Writes a call as the item of its tool; a call of a tool that was not offered is a function call. */
export function writeCallItem(id: string, tool: OfferedTool | undefined, call: WrittenCall): Json {
  const { argumentsText } = call;
  const status = argumentsText === undefined ? "in_progress" : "completed";
  const common = { status, call_id: call.id };
  const named = compact({ name: tool?.name ?? call.name, namespace: tool?.namespace });
  switch (tool?.kind) {
    case "custom":
      return {
        id,
        type: "custom_tool_call",
        ...common,
        ...named,
        input: argumentsText === undefined ? "" : readInput(argumentsText),
      };
    case "local-shell":
      return { id, type: "local_shell_call", ...common, action: shellAction(argumentsText ?? "") };
    case "tool-search":
      return {
        id,
        type: "tool_search_call",
        ...common,
        execution: "client",
        arguments: searchArguments(argumentsText ?? ""),
      };
    default:
      return { id, type: "function_call", ...common, ...named, arguments: argumentsText ?? "" };
  }
}

const toCall = (id: unknown, name: unknown, callArguments: unknown): Json => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "function", function: { name, arguments: callArguments } }],
});

/** The outcome of a tool search: the names of the tools that were found, which are offered from then on. */
function writeFound(tools: unknown, catalog: ToolCatalog): string {
  const names = asObjects(tools).flatMap(({ name, type, tools: inner }) => {
    const found = asText(name) ?? "";
    if (type !== "namespace") return [catalog.chatName(found, undefined)];
    return asObjects(inner).map((tool) => catalog.chatName(asText(tool["name"]) ?? "", found));
  });
  return names.length === 0 ? "No tools were found." : `Available now: ${names.join(", ")}`;
}

const toResult = (id: unknown, content: unknown): Json => ({ role: "tool", tool_call_id: id, content });

/** Items of tools that a provider ran: another model cannot use them, and what they yielded is in the messages. */
const HOSTED_ITEMS: ReadonlySet<unknown> = new Set([
  "web_search_call",
  "file_search_call",
  "image_generation_call",
  "code_interpreter_call",
  "mcp_list_tools",
  "mcp_call",
  "mcp_approval_request",
  "mcp_approval_response",
  "additional_tools",
]);

const isHosted = (item: Json): boolean => {
  if (HOSTED_ITEMS.has(item["type"])) return true;
  const isSearch = item["type"] === "tool_search_call" || item["type"] === "tool_search_output";
  return isSearch && typeof item["call_id"] !== "string";
};

/** Converts a call or a result of the input to a chat message; undefined for other items. */
export function toToolMessage(
  item: Json,
  catalog: ToolCatalog,
  toContent: (output: unknown) => unknown,
): Json | undefined {
  if (isHosted(item)) return { role: "assistant", content: null };
  const { type, call_id, name, output } = item;
  const chatName = typeof name === "string" ? catalog.chatName(name, asText(item["namespace"])) : name;
  switch (type) {
    case "function_call":
      return toCall(call_id, chatName, item["arguments"]);
    case "custom_tool_call":
      return toCall(call_id, chatName, toInputArguments(item["input"]));
    case "local_shell_call":
      return toCall(call_id, catalog.chatName(LOCAL_SHELL, undefined), toActionArguments(item["action"]));
    case "tool_search_call":
      return toCall(call_id, catalog.chatName(TOOL_SEARCH, undefined), JSON.stringify(item["arguments"] ?? {}));
    case "tool_search_output":
      return toResult(call_id, writeFound(item["tools"], catalog));
    case "local_shell_call_output":
      // The reference names the call in `id`, clients send `call_id`.
      return toResult(call_id ?? item["id"], toContent(output));
    case "function_call_output":
    case "custom_tool_call_output":
      return toResult(call_id, toContent(output));
    default:
      return undefined;
  }
}
