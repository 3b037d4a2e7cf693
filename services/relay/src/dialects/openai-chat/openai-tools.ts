import type { ChatTool, Json, ResponseFormat, ToolChoice } from "../../core/chat/chat.ts";
import type { OwnTools } from "../../core/call/dialect.ts";
import { asObject, asObjects, compact } from "../../core/chat/json.ts";
import {
  invalidField,
  optionalBoolean,
  optionalList,
  optionalObject,
  optionalText,
  requireList,
  requireName,
  requireObject,
} from "../shared/fields.ts";
import { asFunctionTool } from "../shared/custom-tools.ts";

const NO_PARAMETERS: Json = { type: "object", properties: {} };

function parseFunction(value: unknown, path: string, cacheControl: Json | undefined): ChatTool {
  const fn = requireObject(value, path);
  return compact({
    name: requireName(fn["name"], `${path}.name`),
    description: optionalText(fn["description"], `${path}.description`),
    parameters: optionalObject(fn["parameters"], `${path}.parameters`) ?? NO_PARAMETERS,
    strict: optionalBoolean(fn["strict"], `${path}.strict`),
    cacheControl,
  });
}

const CUSTOM = "custom";
/** The types of the tools that the caller runs. Others, such as Moonshot's `builtin_function`, are run by the provider. */
const CALLERS_TYPES: ReadonlySet<unknown> = new Set([undefined, "function", CUSTOM]);

/** A custom tool as a function with one text argument. */
function parseCustom(value: unknown, path: string): ChatTool {
  const { name, description, format } = requireObject(value, path);
  const grammar = asObject(asObject(format)?.["grammar"]);
  const fn = parseFunction(asFunctionTool({ name, description, format: grammar })["function"], path, undefined);
  return { ...fn, custom: compact({ description: optionalText(description, `${path}.description`), grammar }) };
}

function parseTool(value: unknown, path: string): ChatTool[] {
  const tool = requireObject(value, path);
  if (typeof tool["type"] === "string" && !CALLERS_TYPES.has(tool["type"])) return [];
  if (tool["type"] === CUSTOM) return [parseCustom(tool["custom"], `${path}.custom`)];
  if (tool["type"] !== undefined && tool["type"] !== "function") throw invalidField(`${path}.type`, "must be a string");
  return [parseFunction(tool["function"], `${path}.function`, asObject(tool["cache_control"]))];
}

/** Whether the model must call a tool that its provider runs. */
function isForced(body: Json): boolean {
  const choice = body["tool_choice"];
  const tools = asObjects(body["tools"]);
  if (choice === "required") return !tools.some(({ type }) => CALLERS_TYPES.has(type));
  const type = asObject(choice)?.["type"];
  return type !== "allowed_tools" && !CALLERS_TYPES.has(type);
}

/**
 * The tools of a call that only providers of OpenAI's format have: those that a provider runs, and custom tools, which are
 * functions elsewhere.
 */
export function getOwnTools(body: Json): OwnTools | undefined {
  const own = asObjects(body["tools"]).filter(({ type }) => type !== undefined && type !== "function");
  if (own.length === 0) return undefined;
  return isForced(body) ? "required" : "optional";
}

const getName = (named: Json | undefined): unknown =>
  (asObject(named?.["function"]) ?? asObject(named?.[CUSTOM]))?.["name"];

/** The names of a call's custom tools, whose calls return as such. */
export const getCustomNames = (body: Json | undefined): ReadonlySet<unknown> =>
  new Set(asObjects(body?.["tools"]).flatMap((tool) => (tool["type"] === CUSTOM ? [getName(tool)] : [])));

/** The mode of `allowed_tools` and the allowed names; undefined for other forms of the choice. */
function allowedTools(choice: Json, path: string): { mode: unknown; names: ReadonlySet<string> } | undefined {
  if (choice["type"] !== "allowed_tools") return undefined;
  const allowed = requireObject(choice["allowed_tools"], `${path}.allowed_tools`);
  const list = requireList(allowed["tools"], `${path}.allowed_tools.tools`);
  const names = list.map((item, index) => {
    const at = `${path}.allowed_tools.tools[${index}]`;
    return requireName(getName(requireObject(item, at)), `${at}.function.name`);
  });
  return { mode: allowed["mode"], names: new Set(names) };
}

function parseWord(word: unknown, path: string): ToolChoice {
  if (word === "auto" || word === "none" || word === "required") return { type: word };
  throw invalidField(path, "must be auto, none, required or a tool");
}

function parseChoice(value: unknown, path: string): ToolChoice {
  if (typeof value === "string") return parseWord(value, path);
  const choice = requireObject(value, path);
  if (choice["type"] === "allowed_tools")
    return parseWord(allowedTools(choice, path)?.mode, `${path}.allowed_tools.mode`);
  const name = getName(choice) ?? choice["name"];
  return { type: "tool", name: requireName(name, `${path}.function.name`) };
}

/**
 * Parses tools and the tool choice, including legacy `functions` and `function_call`. Throws invalid_request with the
 * path.
 */
export function parseTools(body: Json): { tools?: readonly ChatTool[]; toolChoice?: ToolChoice } {
  const tools = [
    ...(optionalList(body["tools"], "tools") ?? []).flatMap((tool, index) => parseTool(tool, `tools[${index}]`)),
    ...(optionalList(body["functions"], "functions") ?? []).map((fn, index) =>
      parseFunction(fn, `functions[${index}]`, undefined),
    ),
  ];
  const param = body["tool_choice"] === undefined || body["tool_choice"] === null ? "function_call" : "tool_choice";
  if (asObjects(body["tools"]).length > 0 && isForced(body))
    throw invalidField(param, "requires a tool that this model does not have");
  const given = body[param] ?? undefined;
  const toolChoice = given === undefined ? undefined : parseChoice(given, param);
  const object = asObject(given);
  const allowed = object && allowedTools(object, param)?.names;
  const usable = allowed ? tools.filter(({ name }) => allowed.has(name)) : tools;
  // A choice among tools that were omitted is omitted too.
  const isOmitted = tools.length === 0 && asObjects(body["tools"]).length > 0;
  return compact({ tools: usable.length > 0 ? usable : undefined, toolChoice: isOmitted ? undefined : toolChoice });
}

/** Where a dialect has the response format, and the schema in it. */
type FormatPaths = { readonly format: string; readonly schema: string };

const CHAT_PATHS: FormatPaths = { format: "response_format", schema: "response_format.json_schema" };

/** Parses the response format. Throws invalid_request for unknown formats. */
export function parseResponseFormat(value: unknown, paths: FormatPaths = CHAT_PATHS): ResponseFormat | undefined {
  const format = optionalObject(value, paths.format);
  if (!format) return undefined;
  if (format["type"] === "text") return { type: "text" };
  if (format["type"] === "json_object") return { type: "json" };
  if (format["type"] !== "json_schema") {
    throw invalidField(`${paths.format}.type`, "must be text, json_object or json_schema");
  }
  const path = paths.schema;
  const schema = requireObject(format["json_schema"], path);
  return compact({
    type: "json-schema" as const,
    name: requireName(schema["name"], `${path}.name`),
    schema: optionalObject(schema["schema"], `${path}.schema`) ?? {},
    strict: optionalBoolean(schema["strict"], `${path}.strict`),
    description: optionalText(schema["description"], `${path}.description`),
  });
}
