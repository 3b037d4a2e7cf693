import type { Json } from "../../core/chat/chat.ts";
import { asObject } from "../../core/chat/json.ts";
import {
  invalidField,
  optionalBoolean,
  optionalList,
  optionalNumber,
  optionalObject,
  optionalText,
  requireName,
  requireObject,
  requireText,
} from "../shared/fields.ts";

/** Throws invalid_request, with the path, for a value of another type; undefined and null count as absent. */
type Check = (value: unknown, path: string) => void;

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** A list whose entries are checked one by one. */
const listOf =
  (check: Check): Check =>
  (value, path) =>
    optionalList(value, path)?.forEach((entry, at) => check(entry, `${path}[${at}]`));

/** An object whose known fields are checked; others are the provider's own. */
const objectWith = (fields: Readonly<Record<string, Check>>): Check => {
  const entries = Object.entries(fields);
  return (value, path) => {
    const object = optionalObject(value, path);
    if (object) for (const [name, check] of entries) check(object[name], `${path}.${name}`);
  };
};

const textOrList =
  (check: Check): Check =>
  (value, path) => {
    if (isAbsent(value) || typeof value === "string") return;
    if (!Array.isArray(value)) throw invalidField(path, "must be a string or an array");
    listOf(check)(value, path);
  };

const textOrObject =
  (check: Check): Check =>
  (value, path) => {
    if (isAbsent(value) || typeof value === "string") return;
    if (!asObject(value)) throw invalidField(path, "must be a string or an object");
    check(value, path);
  };

/** An entry of a list, which must be there. */
const required =
  (check: Check): Check =>
  (value, path) => {
    requireObject(value, path);
    check(value, path);
  };

/** Checks metadata: an object of texts. */
export const checkMetadata: Check = (value, path) => {
  const metadata = optionalObject(value, path) ?? {};
  for (const [name, text] of Object.entries(metadata)) requireText(text, `${path}.${name}`);
};

const checkPart = required(objectWith({ type: optionalText, text: optionalText }));
const ITEM = objectWith({
  type: optionalText,
  id: optionalText,
  role: optionalText,
  content: textOrList(checkPart),
  call_id: optionalText,
  name: optionalText,
  encrypted_content: optionalText,
  summary: listOf(checkPart),
});
const FUNCTION_CALL = objectWith({ call_id: requireName, name: requireName, arguments: requireText });
const FUNCTION_OUTPUT = objectWith({ call_id: requireName, output: textOrList(checkPart) });

/** An item of the input; those of tools that providers run are checked by them. */
const checkItem: Check = (value, path) => {
  const item = requireObject(value, path);
  ITEM(item, path);
  if (item["type"] === "function_call") FUNCTION_CALL(item, path);
  if (item["type"] === "function_call_output") FUNCTION_OUTPUT(item, path);
};

const FUNCTION_TOOL = objectWith({
  name: requireName,
  description: optionalText,
  parameters: optionalObject,
  strict: optionalBoolean,
});

const checkTool: Check = (value, path) => {
  const tool = requireObject(value, path);
  requireName(tool["type"], `${path}.type`);
  if (tool["type"] === "function") FUNCTION_TOOL(tool, path);
  if (tool["type"] === "custom" || tool["type"] === "namespace") requireName(tool["name"], `${path}.name`);
  if (tool["type"] === "namespace") listOf(checkTool)(tool["tools"], `${path}.tools`);
};

const checkToolChoice: Check = (value, path) => {
  textOrObject(objectWith({ type: optionalText, name: optionalText, tools: listOf(required(objectWith({}))) }))(
    value,
    path,
  );
  const choice = asObject(value);
  if (choice?.["type"] === "function") requireName(choice["name"], `${path}.name`);
};

/** The form of the items that a call hands over: of the input, or of a conversation. */
export const checkItems: Check = listOf(checkItem);

const SHAPES: readonly (readonly [string, Check])[] = Object.entries({
  background: optionalBoolean,
  context_management: listOf(required(objectWith({ type: optionalText }))),
  conversation: textOrObject(objectWith({ id: requireText })),
  frequency_penalty: optionalNumber,
  include: listOf(requireText),
  input: textOrList(checkItem),
  instructions: optionalText,
  max_tool_calls: optionalNumber,
  metadata: checkMetadata,
  parallel_tool_calls: optionalBoolean,
  presence_penalty: optionalNumber,
  previous_response_id: optionalText,
  prompt: objectWith({ id: requireText, version: optionalText, variables: optionalObject }),
  prompt_cache_key: optionalText,
  prompt_cache_retention: optionalText,
  reasoning: objectWith({ effort: optionalText, summary: optionalText, generate_summary: optionalText }),
  safety_identifier: optionalText,
  service_tier: optionalText,
  store: optionalBoolean,
  stream_options: objectWith({ include_obfuscation: optionalBoolean }),
  temperature: optionalNumber,
  text: objectWith({ format: objectWith({ type: requireName, name: optionalText }), verbosity: optionalText }),
  tool_choice: checkToolChoice,
  tools: listOf(checkTool),
  top_logprobs: optionalNumber,
  top_p: optionalNumber,
  truncation: optionalText,
  usage: objectWith({ include: optionalBoolean }),
  user: optionalText,
});

/**
 * Checks the form of the fields that calls of the Responses API take, whichever provider serves them: not every provider
 * refuses what has a wrong type, and some fields reach none. Fields that OpenAI adds later pass. Source: OpenAI API reference, "Create a
 * model response". Throws invalid_request with the field's path.
 */
export function checkShapes(body: Json): void {
  for (const [name, check] of SHAPES) if (!isAbsent(body[name])) check(body[name], name);
}
