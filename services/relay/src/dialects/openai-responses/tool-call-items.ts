import type { Json } from "../../core/chat/chat.ts";
import { asObject, asObjects, asText, compact } from "../../core/chat/json.ts";
import { toActionArguments, LOCAL_SHELL, searchArguments, shellAction, TOOL_SEARCH } from "./client-tools.ts";
import { toDataUrl } from "../../core/chat/data-url.ts";
import { getImageType } from "../../core/chat/image-type.ts";
import { toInputArguments, readInput } from "../../core/vendors/custom-input.ts";
import { APPLY_PATCH, toPatchText, writeOperation } from "./patch-tool.ts";
import { SHELL, toShellText, writeCommands } from "./shell-tool.ts";
import type { OfferedTool, ToolCatalog, ToolKind } from "./tool-catalog.ts";

/** A call as a model wrote it; its name is the one in chat, its arguments are absent while it is being written. */
export type WrittenCall = { readonly id: string; readonly name: string; readonly argumentsText: string | undefined };

/** The items of a tool's calls: the prefix of their ids, and their type. */
const ITEMS: Readonly<Record<ToolKind, { readonly prefix: string; readonly type: string }>> = {
  function: { prefix: "fc", type: "function_call" },
  custom: { prefix: "ctc", type: "custom_tool_call" },
  "local-shell": { prefix: "lsh", type: "local_shell_call" },
  "tool-search": { prefix: "tsc", type: "tool_search_call" },
  shell: { prefix: "sh", type: "shell_call" },
  "apply-patch": { prefix: "apc", type: "apply_patch_call" },
};

/** The id prefix of a tool's calls. */
export const callPrefix = (tool: OfferedTool | undefined): string => ITEMS[tool?.kind ?? "function"].prefix;

/** The fields of a call's input, empty while it is being written. */
function writeInput(kind: ToolKind, argumentsText: string | undefined): Json {
  const text = argumentsText ?? "";
  switch (kind) {
    case "custom":
      return { input: argumentsText === undefined ? "" : readInput(text) };
    case "local-shell":
      return { action: shellAction(text) };
    case "tool-search":
      return { execution: "client", arguments: searchArguments(text) };
    case "shell":
      return writeCommands(text);
    case "apply-patch":
      return writeOperation(text);
    case "function":
      return { arguments: text };
  }
}

/** Writes a call as the item of its tool; a call of a tool that was not offered is a function call. */
export function writeCallItem(id: string, tool: OfferedTool | undefined, call: WrittenCall): Json {
  const { argumentsText } = call;
  const kind = tool?.kind ?? "function";
  const status = argumentsText === undefined ? "in_progress" : "completed";
  const isNamed = kind === "function" || kind === "custom";
  const named = isNamed ? compact({ name: tool?.name ?? call.name, namespace: tool?.namespace }) : {};
  return { id, type: ITEMS[kind].type, status, call_id: call.id, ...named, ...writeInput(kind, argumentsText) };
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

/** An image that the provider made earlier, which the user may refer to; undefined if it has none. */
function toImageMessage({ type, result }: Json): Json | undefined {
  const data = asText(result);
  if (type !== "image_generation_call" || !data) return undefined;
  const url = toDataUrl(getImageType(data), data);
  return { role: "assistant", content: [{ type: "image_url", image_url: { url } }] };
}

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
  "program",
  "program_output",
]);

const isHosted = (item: Json): boolean => {
  if (HOSTED_ITEMS.has(item["type"])) return true;
  const isSearch = item["type"] === "tool_search_call" || item["type"] === "tool_search_output";
  return isSearch && typeof item["call_id"] !== "string";
};

/** The computer, whose actions and screenshots remain in the conversation for models that cannot use it. */
const COMPUTER = "computer";

/** Converts a call to a chat message; undefined for other items. */
function toCallMessage(item: Json, catalog: ToolCatalog): Json | undefined {
  const { type, call_id, name } = item;
  const chatName = typeof name === "string" ? catalog.chatName(name, asText(item["namespace"])) : name;
  const own = (toolName: string, input: string): Json => toCall(call_id, catalog.chatName(toolName, undefined), input);
  switch (type) {
    case "function_call":
      return toCall(call_id, chatName, item["arguments"]);
    case "custom_tool_call":
      return toCall(call_id, chatName, toInputArguments(item["input"]));
    case "local_shell_call":
      return own(LOCAL_SHELL, toActionArguments(item["action"]));
    case "shell_call":
      return own(SHELL, JSON.stringify(item["action"] ?? {}));
    case "apply_patch_call":
      return own(APPLY_PATCH, JSON.stringify(item["operation"] ?? {}));
    case "computer_call":
      return own(COMPUTER, JSON.stringify({ actions: item["actions"] ?? [item["action"]] }));
    case "tool_search_call":
      return own(TOOL_SEARCH, JSON.stringify(item["arguments"] ?? {}));
    default:
      return undefined;
  }
}

/** Converts a call or a result of the input to a chat message; undefined for other items. */
export function toToolMessage(
  item: Json,
  catalog: ToolCatalog,
  toContent: (output: unknown) => unknown,
): Json | undefined {
  if (isHosted(item)) return toImageMessage(item) ?? { role: "assistant", content: null };
  const call = toCallMessage(item, catalog);
  if (call) return call;
  const { type, call_id, output } = item;
  switch (type) {
    case "tool_search_output":
      return toResult(call_id, writeFound(item["tools"], catalog));
    case "local_shell_call_output":
      // The reference names the call in `id`, clients send `call_id`.
      return toResult(call_id ?? item["id"], toContent(output));
    case "shell_call_output":
      return toResult(call_id, toShellText(output));
    case "apply_patch_call_output":
      return toResult(call_id, toPatchText(item));
    case "computer_call_output":
      return toResult(call_id, toContent([{ ...asObject(output), type: "input_image" }]));
    case "function_call_output":
    case "custom_tool_call_output":
      return toResult(call_id, toContent(output));
    default:
      return undefined;
  }
}
