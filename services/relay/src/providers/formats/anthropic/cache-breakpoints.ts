import type { ContentPart, ChatRequest, Json } from "../../../core/chat/chat.ts";
import { asObjects } from "../../../core/chat/json.ts";

const BREAKPOINT: Json = { type: "ephemeral" };
/** Of the four that Anthropic allows, one each is for the tools and the system prompt. */
const USER_TURNS = 2;

const isMarked = (part: ContentPart): boolean =>
  ("cacheControl" in part && part.cacheControl !== undefined) ||
  (part.type === "tool-result" && part.parts.some(isMarked));

/** Whether the caller placed breakpoints: they stay as they are, and none is added. */
export const hasOwnBreakpoints = ({ tools = [], system, messages }: ChatRequest): boolean =>
  tools.some(({ cacheControl }) => cacheControl !== undefined) ||
  system.some(isMarked) ||
  messages.some(({ parts }) => parts.some(isMarked));

/** Anthropic refuses breakpoints in empty text. */
const canMark = (block: Json): boolean => block["type"] !== "text" || block["text"] !== "";

function markLast(blocks: readonly Json[]): readonly Json[] {
  const at = blocks.findLastIndex(canMark);
  return at < 0 ? blocks : blocks.with(at, { ...blocks[at], cache_control: BREAKPOINT });
}

const toBlocks = (content: unknown): readonly Json[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : asObjects(content);

function markTurns(messages: readonly Json[]): readonly Json[] {
  const users = messages.flatMap(({ role }, index) => (role === "user" ? [index] : [])).slice(-USER_TURNS);
  return messages.map((message, index) =>
    users.includes(index) ? { ...message, content: markLast(toBlocks(message["content"])) } : message,
  );
}

/**
 * A messages body with cache breakpoints after the tools, the system prompt and the last two user turns: the next call of the
 * conversation reads what this one wrote. Anthropic ignores breakpoints after prompts that are too short for its cache.
 */
export function addCacheBreakpoints(body: Json): Json {
  const tools = asObjects(body["tools"]);
  return {
    ...body,
    ...(tools.length > 0 ? { tools: markLast(tools) } : {}),
    ...(body["system"] === undefined ? {} : { system: markLast(toBlocks(body["system"])) }),
    messages: markTurns(asObjects(body["messages"])),
  };
}
