import type { NamedModel, OwnTools } from "../../core/call/dialect.ts";
import type { Json } from "../../core/chat/chat.ts";
import { asList, asObject, asObjects, asText } from "../../core/chat/json.ts";
import { invalidField } from "../shared/fields.ts";
import { isClientTool } from "./anthropic-client-tools.ts";
import { isPlainSearch } from "./anthropic-web-search.ts";

/** The types of the tools that Anthropic runs itself. Source: Anthropic documentation, "Server tools". */
const SERVER_TYPE =
  /^(web_search|web_fetch|code_execution|advisor)_\d+$|^tool_search_tool_(regex|bm25)(_\d+)?$|^mcp_toolset$/;

/** Whether Anthropic runs the tool: models of other providers are offered the call without it. */
export const isServerTool = (value: unknown): boolean => SERVER_TYPE.test(asText(asObject(value)?.["type"]) ?? "");

/**
 * Blocks of earlier turns in which Anthropic ran a tool or served another model; what the model found out is in its
 * texts.
 */
const SERVER_BLOCK = /^(server_tool_use|mcp_tool_use|\w+_tool_result|mcp_tool_listing|fallback)$/;

export const isServerToolBlock = (type: unknown): boolean => typeof type === "string" && SERVER_BLOCK.test(type);

const isFunction = (tool: Json): boolean => (tool["type"] ?? "custom") === "custom";
const isCallersTool = (tool: Json): boolean => isFunction(tool) || isClientTool(tool);

/** Whether the model must call a server tool that no other provider has. */
function isForced(body: Json): boolean {
  const choice = asObject(body["tool_choice"]);
  const tools = asObjects(body["tools"]);
  if (choice?.["type"] === "any") return !tools.some((tool) => isCallersTool(tool) || isPlainSearch(tool));
  if (choice?.["type"] !== "tool") return false;
  return tools.some((tool) => tool["name"] === choice["name"] && isServerTool(tool) && !isPlainSearch(tool));
}

const REGION = "inference_geo";

/** Whether the call may be processed in one region alone. Source: Anthropic API reference, "Create a Message", `inference_geo`. */
const isBoundToRegion = (body: Json): boolean => (asText(body[REGION]) ?? "global") !== "global";

/** Throws invalid_request if the call is bound to a region: other formats have no field for it. */
export function refuseRegion(body: Json): void {
  if (isBoundToRegion(body))
    throw invalidField(REGION, "is not supported for this model: its provider has no setting for the region");
}

/**
 * The tools of a call that only Claude channels have: those that Anthropic runs are optional unless the model must call one.
 * Those that it defines for the caller to run are optional where other models get them as functions (bash, text editor,
 * memory), and required where these cannot use them (computer, browser), or where the call is bound to a region.
 */
export function getOwnTools(body: Json): OwnTools | undefined {
  if (isBoundToRegion(body)) return "required";
  const own = asObjects(body["tools"]).filter((tool) => !isFunction(tool) && !isPlainSearch(tool));
  if (own.length === 0) return undefined;
  const canDoWithout = own.every((tool) => isServerTool(tool) || isClientTool(tool));
  return canDoWithout && !(own.some(isServerTool) && isForced(body)) ? "optional" : "required";
}

/** The models that advise the requested one. Source: Anthropic documentation, "Advisor tool". */
export const getAdvisorModels = (body: Json): readonly NamedModel[] =>
  asList(body["tools"]).flatMap((value, index) => {
    const tool = asObject(value);
    const model = asText(tool?.["type"])?.startsWith("advisor_") === true ? asText(tool?.["model"]) : undefined;
    return model === undefined ? [] : [{ model, param: `tools.${index}.model` }];
  });

/** Throws invalid_request if the model must call a server tool. */
export function refuseForcedServerTool(body: Json): void {
  if (asObjects(body["tools"]).some(isServerTool) && isForced(body))
    throw invalidField("tool_choice", "requires a server tool, which this model does not have");
}
