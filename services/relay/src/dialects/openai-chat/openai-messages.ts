import type { ChatMessage, ContentPart, Json } from "../../core/chat/chat.ts";
import { asObject, asText, compact } from "../../core/chat/json.ts";
import { invalidField, optionalList, requireName, requireObject, requireText } from "../shared/fields.ts";
import { toInputArguments } from "../../core/vendors/custom-input.ts";
import { parseContent } from "./openai-content.ts";
import { parseReasoning } from "./openai-reasoning.ts";

/** The calls so far: results refer to them by id, legacy results by function name. */
type CallBook = { readonly nameById: Map<string, string>; readonly lastIdByName: Map<string, string> };

/**
 * Google's field for a reasoning signature in OpenAI's format; clients that send messages back unchanged include it.
 */
function readSignature(call: Json): string | undefined {
  const google = asObject(asObject(call["extra_content"])?.["google"]);
  return asText(google?.["thought_signature"]);
}

/** A call of a custom tool, whose input is a text. */
function parseCustomCall(call: Json, path: string): ContentPart {
  const custom = requireObject(call["custom"], `${path}.custom`);
  return {
    type: "tool-call",
    id: requireName(call["id"], `${path}.id`),
    name: requireName(custom["name"], `${path}.custom.name`),
    argumentsText: toInputArguments(requireText(custom["input"] ?? "", `${path}.custom.input`)),
  };
}

function parseToolCall(value: unknown, path: string): ContentPart {
  const call = requireObject(value, path);
  if (call["type"] === "custom") return parseCustomCall(call, path);
  const fn = requireObject(call["function"], `${path}.function`);
  return compact({
    type: "tool-call" as const,
    id: requireName(call["id"], `${path}.id`),
    name: requireName(fn["name"], `${path}.function.name`),
    argumentsText: requireText(fn["arguments"] ?? "", `${path}.function.arguments`),
    signature: readSignature(call),
  });
}

/**
 * Legacy calls have no id: one is derived from the position, and the following result finds it by the function's name.
 */
function parseLegacyCall(value: unknown, path: string, index: number): ContentPart {
  const call = requireObject(value, path);
  return {
    type: "tool-call",
    id: `call_legacy_${index}`,
    name: requireName(call["name"], `${path}.name`),
    argumentsText: requireText(call["arguments"] ?? "", `${path}.arguments`),
  };
}

function parseAssistant(message: Json, path: string, index: number): ChatMessage {
  const parts: ContentPart[] = parseReasoning(message);
  const content = parseContent(message["content"], `${path}.content`);
  // A refusal is a separate field; the content is then null.
  const refusal = asText(message["refusal"]);
  parts.push(...(content.length === 0 && refusal ? [{ type: "text" as const, text: refusal }] : content));
  const calls = optionalList(message["tool_calls"], `${path}.tool_calls`) ?? [];
  parts.push(...calls.map((call, at) => parseToolCall(call, `${path}.tool_calls[${at}]`)));
  if (asObject(message["function_call"])) {
    parts.push(parseLegacyCall(message["function_call"], `${path}.function_call`, index));
  }
  return { role: "assistant", parts };
}

function parseToolResult(message: Json, path: string, calls: CallBook): ChatMessage {
  const id = requireName(message["tool_call_id"], `${path}.tool_call_id`);
  const name = calls.nameById.get(id) ?? asText(message["name"]);
  const parts = parseContent(message["content"], `${path}.content`);
  return { role: "user", parts: [compact({ type: "tool-result" as const, id, name, parts })] };
}

function parseLegacyResult(message: Json, path: string, calls: CallBook): ChatMessage {
  const name = requireName(message["name"], `${path}.name`);
  const id = calls.lastIdByName.get(name) ?? `call_legacy_${name}`;
  const parts = parseContent(message["content"], `${path}.content`);
  return { role: "user", parts: [{ type: "tool-result", id, name, parts }] };
}

function remember({ parts }: ChatMessage, calls: CallBook): void {
  for (const part of parts) {
    if (part.type !== "tool-call") continue;
    calls.nameById.set(part.id, part.name);
    calls.lastIdByName.set(part.name, part.id);
  }
}

function parseTurn(message: Json, index: number, calls: CallBook): ChatMessage {
  const path = `messages[${index}]`;
  switch (message["role"]) {
    case "user":
      return { role: "user", parts: parseContent(message["content"], `${path}.content`) };
    case "assistant":
      return parseAssistant(message, path, index);
    case "tool":
      return parseToolResult(message, path, calls);
    case "function":
      return parseLegacyResult(message, path, calls);
    default:
      throw invalidField(`${path}.role`, "must be system, developer, user, assistant or tool");
  }
}

const toInstruction = (part: ContentPart): ContentPart =>
  part.type === "text" ? { ...part, isInstruction: true } : part;

/**
 * Separates the system and developer messages before the first turn from the turns; later ones stay in their place, as
 * instructions. Throws invalid_request with the path of the invalid value.
 */
export function parseMessages(list: readonly unknown[]): { system: ContentPart[]; messages: ChatMessage[] } {
  const system: ContentPart[] = [];
  const messages: ChatMessage[] = [];
  const calls: CallBook = { nameById: new Map(), lastIdByName: new Map() };
  list.forEach((value, index) => {
    const message = requireObject(value, `messages[${index}]`);
    if (message["role"] === "system" || message["role"] === "developer") {
      const parts = parseContent(message["content"], `messages[${index}].content`);
      if (messages.length === 0) system.push(...parts);
      else messages.push({ role: "user", parts: parts.map(toInstruction) });
      return;
    }
    const turn = parseTurn(message, index, calls);
    remember(turn, calls);
    messages.push(turn);
  });
  return { system, messages };
}
