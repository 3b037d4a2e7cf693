import { createHash } from "node:crypto";
import type { Json } from "../../core/chat/chat.ts";
import { asList, asObject, asObjects, asText, compact } from "../../core/chat/json.ts";
import { invalidField, requireList, requireName, requireObject } from "../shared/fields.ts";
import { commonName } from "../shared/tool-names.ts";
import { asFunctionTool } from "../shared/custom-tools.ts";
import { APPLY_PATCH, asPatchFunction } from "./patch-tool.ts";
import { asCommandsFunction, isCallersShell, SHELL } from "./shell-tool.ts";
import { asSearchFunction, asShellFunction, LOCAL_SHELL, TOOL_SEARCH } from "./client-tools.ts";

/** The items through which a caller receives the calls of a tool. */
export type ToolKind = "function" | "custom" | "local-shell" | "tool-search" | "shell" | "apply-patch";

/** A tool that the caller runs, and the function by which chat offers it. */
export type OfferedTool = {
  readonly kind: ToolKind;
  /** The caller's name, within the namespace if there is one. */
  readonly name: string;
  readonly namespace?: string;
  /** The tool as chat writes it, under a name that is unique in the call. */
  readonly chatTool: Json;
};

export type ToolCatalog = {
  readonly tools: readonly OfferedTool[];
  /** The tool that a model calls by its name in chat; undefined for a name that was not offered. */
  readonly find: (chatName: string) => OfferedTool | undefined;
  /** The name in chat of a tool, offered or called earlier. */
  readonly chatName: (name: string, namespace: string | undefined) => string;
};

type Given = Omit<OfferedTool, "chatTool"> & { readonly tool: Json };

const toFunction = ({ name, description, parameters, strict }: Json): Json => ({
  type: "function",
  function: { name, description, parameters, strict },
});

const TO_CHAT: Readonly<Record<ToolKind, (tool: Json) => Json>> = {
  function: toFunction,
  custom: asFunctionTool,
  "local-shell": asShellFunction,
  "tool-search": asSearchFunction,
  shell: asCommandsFunction,
  "apply-patch": asPatchFunction,
};

/** Namespaces of MCP servers end with the separator. */
const joinNames = (namespace: string, name: string): string =>
  commonName(namespace.endsWith("__") ? namespace + name : `${namespace}__${name}`);

const getKey = (name: string, namespace: string | undefined): string => JSON.stringify([namespace ?? null, name]);

const isClientSearch = (tool: Json): boolean => tool["type"] === TOOL_SEARCH && tool["execution"] === "client";

/** The kind of a tool that chat can offer; undefined for those that the provider runs, which are omitted. */
function findToolKind(tool: Json): ToolKind | undefined {
  if (tool["type"] === "function") return "function";
  if (tool["type"] === "custom") return "custom";
  if (tool["type"] === LOCAL_SHELL) return "local-shell";
  if (tool["type"] === APPLY_PATCH) return "apply-patch";
  if (isCallersShell(tool)) return "shell";
  return isClientSearch(tool) ? "tool-search" : undefined;
}

/** Whether the caller runs a tool, or the tools of a namespace. */
export const isCallersTool = (tool: Json): boolean => tool["type"] === "namespace" || findToolKind(tool) !== undefined;

const FIXED_NAMES: Readonly<Partial<Record<ToolKind, string>>> = {
  "local-shell": LOCAL_SHELL,
  "tool-search": TOOL_SEARCH,
  shell: SHELL,
  "apply-patch": APPLY_PATCH,
};

function readTool(tool: Json, path: string, namespace?: string): Given[] {
  const kind = findToolKind(tool);
  if (kind === undefined) return [];
  const name = FIXED_NAMES[kind] ?? requireName(tool["name"], `${path}.name`);
  return [compact({ kind, name, namespace, tool })];
}

function readNamespace(tool: Json, path: string): Given[] {
  const namespace = requireName(tool["name"], `${path}.name`);
  return requireList(tool["tools"], `${path}.tools`).flatMap((value, index) => {
    const at = `${path}.tools[${index}]`;
    return readTool(requireObject(value, at), at, namespace);
  });
}

/** The tools of a list, those of namespaces included. Throws invalid_request with the path. */
function readTools(value: unknown, path: string): Given[] {
  return asList(value).flatMap((one, index) => {
    const at = `${path}[${index}]`;
    const tool = requireObject(one, at);
    if (typeof tool["type"] !== "string") throw invalidField(`${at}.type`, "must be a string");
    return tool["type"] === "namespace" ? readNamespace(tool, at) : readTool(tool, at);
  });
}

/** Tools that earlier items of the conversation add to those of the request. */
const LOADING_ITEMS: ReadonlySet<unknown> = new Set(["tool_search_output", "additional_tools"]);

/** Whether an item adds tools to the conversation. */
export const isLoadingItem = (item: Json): boolean => LOADING_ITEMS.has(item["type"]);

/** The tools of a call, with those that items of its input add. */
export const getOffered = (body: Json): Json[] => [
  ...asObjects(body["tools"]),
  ...asObjects(body["input"]).flatMap((item) => (isLoadingItem(item) ? asObjects(item["tools"]) : [])),
];

function readAll(body: Json): Given[] {
  const given = readTools(body["tools"], "tools");
  const known = new Set(given.map(({ name, namespace }) => getKey(name, namespace)));
  const loaded = asObjects(body["input"]).flatMap((item, index) =>
    isLoadingItem(item) ? readTools(item["tools"], `input[${index}].tools`) : [],
  );
  return [
    ...given,
    ...loaded.filter(({ name, namespace }) => {
      const key = getKey(name, namespace);
      return !known.has(key) && known.add(key);
    }),
  ];
}

const digest = (key: string): string => createHash("sha256").update(key).digest("hex").slice(0, 8);

/**
 * The tools of a responses call that its caller runs, as functions for chat: tools of namespaces get joined names, and
 * custom tools, the local shell and the caller's tool search become functions. Every name in chat leads back to one
 * tool. Throws invalid_request for tools of the wrong shape.
 */
export function createToolCatalog(body: Json = {}): ToolCatalog {
  const given = readAll(body);
  const taken = new Set(
    given.flatMap(({ kind, name, namespace }) => (namespace === undefined && !FIXED_NAMES[kind] ? [name] : [])),
  );
  const chatNames = new Map<string, string>();
  const tools = given.map((one): OfferedTool => {
    const { kind, name, namespace } = one;
    const chatTool = TO_CHAT[kind](one.tool);
    const key = getKey(name, namespace);
    let chatName = namespace === undefined ? name : joinNames(namespace, name);
    if (namespace !== undefined || FIXED_NAMES[kind]) {
      if (taken.has(chatName)) chatName = commonName(`${chatName}.${digest(key)}`);
      taken.add(chatName);
    }
    chatNames.set(key, chatName);
    const fn = { ...asObject(chatTool["function"]), name: chatName };
    return compact({ kind, name, namespace, chatTool: { ...chatTool, function: fn } });
  });
  const byChatName = new Map(tools.map((tool) => [asText(asObject(tool.chatTool["function"])?.["name"]) ?? "", tool]));
  return {
    tools,
    find: (chatName) => byChatName.get(chatName),
    chatName: (name, namespace) =>
      chatNames.get(getKey(name, namespace)) ?? (namespace === undefined ? name : joinNames(namespace, name)),
  };
}
