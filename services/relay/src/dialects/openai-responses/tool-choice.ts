import type { ChatTool, Json, ToolChoice, WebSearch } from "../../core/chat/chat.ts";
import { asList, asObject, asObjects, asText } from "../../core/chat/json.ts";
import { optionalList } from "../shared/fields.ts";
import { parseTools } from "../openai-chat/openai-tools.ts";
import { isPlainSearch, searchAmong } from "./responses-web-search.ts";
import { APPLY_PATCH } from "./patch-tool.ts";
import { SHELL } from "./shell-tool.ts";
import { getOffered, isCallersTool, type ToolCatalog } from "./tool-catalog.ts";

/** The types of a tool choice that name a tool of the caller's. */
const NAMED: ReadonlySet<unknown> = new Set([undefined, "function", "custom"]);
const OWN_TYPES: ReadonlySet<unknown> = new Set([
  ...NAMED,
  "allowed_tools",
  "local_shell",
  "tool_search",
  SHELL,
  APPLY_PATCH,
]);

const canOffer = (tool: Json): boolean => isPlainSearch(tool) || isCallersTool(tool);

/**
 * The field that forces the model to call a tool which only a provider of this API runs; undefined if it need not call
 * one: such tools are then omitted where the provider has none.
 */
export function getForcedHostedTool(body: Json): string | undefined {
  const choice = body["tool_choice"];
  const param = "tool_choice";
  if (choice === "required") return getOffered(body).length > 0 && !getOffered(body).some(canOffer) ? param : undefined;
  const object = asObject(choice);
  if (!object || isPlainSearch(object)) return undefined;
  if (object["type"] === "allowed_tools") {
    const isForced = object["mode"] === "required" && asList(object["tools"]).length > 0;
    const canServe = (tool: Json): boolean => OWN_TYPES.has(tool["type"]) || canOffer(tool);
    return isForced && !asObjects(object["tools"]).some(canServe) ? param : undefined;
  }
  return OWN_TYPES.has(object["type"]) ? undefined : param;
}

const chosenName = (choice: Json, catalog: ToolCatalog): string | undefined => {
  const name = NAMED.has(choice["type"]) ? asText(choice["name"]) : asText(choice["type"]);
  return name === undefined ? undefined : catalog.chatName(name, asText(choice["namespace"]));
};

/** The names in chat of an allowed tool; several for a namespace, none for tools that chat does not have. */
function allowedNames(choice: Json, catalog: ToolCatalog): (string | undefined)[] {
  if (choice["type"] === "namespace") {
    const inside = catalog.tools.filter(({ namespace }) => namespace === choice["name"]);
    return inside.map(({ name, namespace }) => catalog.chatName(name, namespace));
  }
  return OWN_TYPES.has(choice["type"]) ? [chosenName(choice, catalog)] : [];
}

/** Converts the choice to chat, where it is nested. If a search is offered, the model may choose it. */
function toChatChoice(value: unknown, catalog: ToolCatalog): unknown {
  const choice = asObject(value);
  if (!choice) return value;
  if (isPlainSearch(choice)) return "auto";
  if (choice["type"] !== "allowed_tools") return { type: "function", function: { name: chosenName(choice, catalog) } };
  const allowed = asObjects(choice["tools"]).flatMap((tool) => allowedNames(tool, catalog));
  const tools = allowed.map((name) => ({ type: "function", function: { name } }));
  return { type: "allowed_tools", allowed_tools: { mode: choice["mode"], tools } };
}

/**
 * The web search of a call; undefined if none is offered, or the tool choice excludes it: providers run it, and bill it,
 * apart from the choice among functions. Throws invalid_request.
 */
export function findSearch(body: Json): WebSearch | undefined {
  const choice = body["tool_choice"];
  const allowed = asObject(choice);
  const isExcluded =
    choice === "none" || (allowed?.["type"] === "allowed_tools" && !asObjects(allowed["tools"]).some(isPlainSearch));
  return isExcluded ? undefined : searchAmong(getOffered(body));
}

/**
 * The tools and the tool choice of a call, for chat. A choice among no tools is omitted. Throws invalid_request with the
 * field.
 */
export function parseResponsesTools(
  body: Json,
  catalog: ToolCatalog,
): { tools?: readonly ChatTool[]; toolChoice?: ToolChoice } {
  optionalList(body["tools"], "tools");
  const tools = catalog.tools.map(({ chatTool }) => chatTool);
  const parsed = parseTools({ tools, tool_choice: toChatChoice(body["tool_choice"], catalog) });
  return parsed.tools || parsed.toolChoice?.type === "tool" ? parsed : {};
}
