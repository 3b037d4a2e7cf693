import type { Json } from "../../core/chat/chat.ts";
import { asList, asObject, asText } from "../../core/chat/json.ts";
import { withBody } from "../../core/call/call-body.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import { isReference } from "../../dialects/openai-responses/responses-wire.ts";
import { estimateTokens } from "../../accounting/tokens/token-estimate.ts";
import { getItemRequestId, isReasoningItem } from "./stored-items.ts";

function referenceIn(value: unknown): string | undefined {
  const item = asObject(value);
  return item && isReference(item) ? asText(item["id"]) : undefined;
}

/** The calls whose items an input refers to. */
export function getReferencedCallIds(body: Json): readonly string[] {
  const ids = asList(body["input"]).flatMap((item) => getItemRequestId(referenceIn(item) ?? "") ?? []);
  return [...new Set(ids)];
}

/** An item as input: without fields that only responses have. */
export function asInput({ id: _id, status: _status, ...item }: Json): Json {
  const content = item["content"];
  if (!Array.isArray(content)) return item;
  const texts = content.map((part: unknown) => ({ type: "output_text", text: asObject(part)?.["text"] ?? "" }));
  return { ...item, content: texts };
}

/** The call with its references replaced by the items; unknown references stay and are refused by name. */
export function inlineItems(call: RelayCall, items: ReadonlyMap<string, Json>): RelayCall {
  let tokens = 0;
  const input = asList(call.body["input"]).flatMap((given): unknown[] => {
    const id = referenceIn(given) ?? "";
    if (isReasoningItem(id)) return [];
    const item = items.get(id);
    if (!item) return [given];
    const input = asInput(item);
    tokens += estimateTokens(JSON.stringify(input));
    return [input];
  });
  const body = { ...call.body, input };
  return { ...withBody(call, body), estimatePromptTokens: call.estimatePromptTokens + tokens };
}
