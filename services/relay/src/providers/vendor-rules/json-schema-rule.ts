import type { Json } from "../../core/chat/chat.ts";
import { asList, asObject } from "../../core/chat/json.ts";
import { jsonInstruction } from "../shared/json-instruction.ts";
import type { BodyRule } from "../shared/body-rules.ts";

/** Appends the instruction to the first system message, or adds it as a system message. */
function withInstruction(messages: readonly unknown[], instruction: string): unknown[] {
  const [first, ...rest] = messages;
  const system = asObject(first);
  if (system?.["role"] !== "system") return [{ role: "system", content: instruction }, ...messages];
  const { content } = system;
  if (typeof content === "string") return [{ ...system, content: `${content}\n\n${instruction}` }, ...rest];
  return [{ ...system, content: [...asList(content), { type: "text", text: instruction }] }, ...rest];
}

/**
 * Converts a response schema to an instruction, for providers that support JSON but refuse schemas: DeepSeek ("This
 * response_format type is unavailable now", api-docs.deepseek.com/guides/json_mode) and Zhipu. They require an
 * instruction for JSON without a schema too.
 */
export const schemaAsInstruction: BodyRule = (body) => {
  const format = asObject(body["response_format"]);
  if (format?.["type"] !== "json_schema") return body;
  const schema: Json = asObject(asObject(format["json_schema"])?.["schema"]) ?? {};
  const instruction = jsonInstruction({ type: "json-schema", name: "answer", schema }) ?? "";
  const messages = withInstruction(asList(body["messages"]), instruction);
  return { ...body, messages, response_format: { type: "json_object" } };
};
