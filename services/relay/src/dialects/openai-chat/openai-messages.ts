import type { ChatMessage, ContentPart, Json } from "../../chat/chat.ts";
import { asObject, asText, compact } from "../../chat/json.ts";
import { toolNamesById } from "../../chat/tool-calls.ts";
import { invalidField, optionalList, requireName, requireObject, requireText } from "../fields.ts";
import { parseContent } from "./openai-content.ts";

/** Google's own place for a thought signature in OpenAI's format; clients that send messages back whole bring it along. */
function readSignature(call: Json): string | undefined {
  const google = asObject(asObject(call["extra_content"])?.["google"]);
  return asText(google?.["thought_signature"]);
}

function parseToolCall(value: unknown, path: string): ContentPart {
  const call = requireObject(value, path);
  const fn = requireObject(call["function"], `${path}.function`);
  return compact({
    type: "tool-call" as const,
    id: requireName(call["id"], `${path}.id`),
    name: requireName(fn["name"], `${path}.function.name`),
    argumentsText: requireText(fn["arguments"] ?? "", `${path}.function.arguments`),
    signature: readSignature(call),
  });
}

/** Legacy calls have no id: the position makes one, and the result that follows finds it by the function's name. */
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
  const parts: ContentPart[] = [];
  const reasoning = asText(message["reasoning_content"]) ?? asText(message["reasoning"]);
  if (reasoning) parts.push({ type: "reasoning", text: reasoning });
  parts.push(...parseContent(message["content"], `${path}.content`));
  const calls = optionalList(message["tool_calls"], `${path}.tool_calls`) ?? [];
  parts.push(...calls.map((call, at) => parseToolCall(call, `${path}.tool_calls[${at}]`)));
  if (asObject(message["function_call"])) {
    parts.push(parseLegacyCall(message["function_call"], `${path}.function_call`, index));
  }
  return { role: "assistant", parts };
}

function parseToolResult(message: Json, path: string, earlier: readonly ChatMessage[]): ChatMessage {
  const id = requireName(message["tool_call_id"], `${path}.tool_call_id`);
  const name = toolNamesById(earlier).get(id) ?? asText(message["name"]);
  const parts = parseContent(message["content"], `${path}.content`);
  return { role: "user", parts: [compact({ type: "tool-result" as const, id, name, parts })] };
}

function parseLegacyResult(message: Json, path: string, earlier: readonly ChatMessage[]): ChatMessage {
  const name = requireName(message["name"], `${path}.name`);
  const calls = earlier.flatMap(({ parts }) => parts.filter((part) => part.type === "tool-call" && part.name === name));
  const call = calls.at(-1);
  const id = call?.type === "tool-call" ? call.id : `call_legacy_${name}`;
  return {
    role: "user",
    parts: [{ type: "tool-result", id, name, parts: parseContent(message["content"], `${path}.content`) }],
  };
}

/** System and developer messages, wherever they stand, apart from the turns. Throws invalid_request with the path of what is wrong. */
export function parseMessages(list: readonly unknown[]): { system: ContentPart[]; messages: ChatMessage[] } {
  const system: ContentPart[] = [];
  const messages: ChatMessage[] = [];
  list.forEach((value, index) => {
    const path = `messages[${index}]`;
    const message = requireObject(value, path);
    switch (message["role"]) {
      case "system":
      case "developer":
        system.push(...parseContent(message["content"], `${path}.content`));
        break;
      case "user":
        messages.push({ role: "user", parts: parseContent(message["content"], `${path}.content`) });
        break;
      case "assistant":
        messages.push(parseAssistant(message, path, index));
        break;
      case "tool":
        messages.push(parseToolResult(message, path, messages));
        break;
      case "function":
        messages.push(parseLegacyResult(message, path, messages));
        break;
      default:
        throw invalidField(`${path}.role`, "must be system, developer, user, assistant or tool");
    }
  });
  return { system, messages };
}
