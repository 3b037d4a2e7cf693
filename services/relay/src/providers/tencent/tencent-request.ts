import type { ChatRequest, ChatTool, Json } from "../../core/chat/chat.ts";
import { asList, asObject, compact } from "../../core/chat/json.ts";
import { refuseManyCandidates } from "../../core/chat/messages.ts";
import { writeMessages } from "../formats/openai/openai-messages.ts";

const PARTS: Readonly<Record<string, (part: Json) => Json>> = {
  text: ({ text }) => ({ Type: "text", Text: text }),
  image_url: ({ image_url: image }) => ({ Type: "image_url", ImageUrl: { Url: asObject(image)?.["url"] } }),
};

function writeContent(content: unknown): Json {
  if (!Array.isArray(content)) return { Content: content ?? "" };
  const parts = asList(content).map((part) => asObject(part) ?? {});
  return { Contents: parts.flatMap((part) => PARTS[String(part["type"])]?.(part) ?? []) };
}

function writeToolCall(value: unknown): Json {
  const call = asObject(value) ?? {};
  const fn = asObject(call["function"]) ?? {};
  return { Id: call["id"], Type: "function", Function: { Name: fn["name"], Arguments: fn["arguments"] } };
}

/** OpenAI's messages with Tencent's names. */
function writeMessage(value: object): Json {
  const message = value as Json;
  const calls = asList(message["tool_calls"]).map(writeToolCall);
  return compact({
    Role: message["role"],
    ...writeContent(message["content"]),
    ToolCallId: message["tool_call_id"],
    ToolCalls: calls.length > 0 ? calls : undefined,
  });
}

const FILLER = "...";
const SEED_MAX = 10_000;

/** Tencent's message order: a user first and last, or a tool, and an assistant turn between tools and user. */
function inOrder(messages: readonly Json[]): Json[] {
  const ordered: Json[] = [];
  for (const message of messages) {
    const [role, before] = [message["Role"], ordered.at(-1)?.["Role"]];
    if ((before === undefined || before === "system") && role !== "system" && role !== "user")
      ordered.push({ Role: "user", Content: FILLER });
    if (before === "tool" && role === "user") ordered.push({ Role: "assistant", Content: FILLER });
    ordered.push(message);
  }
  return ordered.at(-1)?.["Role"] === "assistant" ? [...ordered, { Role: "user", Content: FILLER }] : ordered;
}

/** The parameters are a JSON string here. */
const writeTool = ({ name, description, parameters }: ChatTool): Json => ({
  Type: "function",
  Function: compact({ Name: name, Description: description, Parameters: JSON.stringify(parameters) }),
});

/** A specific tool is "custom"; a required choice of any tool is not supported, the model decides. */
function writeTools({ tools, toolChoice }: ChatRequest): Json {
  if (!tools || tools.length === 0) return {};
  const written = tools.map(writeTool);
  if (toolChoice?.type !== "tool") return { Tools: written, ToolChoice: toolChoice?.type === "none" ? "none" : "auto" };
  const at = tools.findIndex(({ name }) => name === toolChoice.name);
  return { Tools: written, ToolChoice: "custom", CustomTool: written[Math.max(at, 0)] };
}

const within = (value: number | undefined, min: number, max: number): number | undefined =>
  value === undefined ? undefined : Math.min(Math.max(value, min), max);

/** Builds a ChatCompletions body. There is no token limit: unknown parameters are refused. */
export function buildTencentBody(request: ChatRequest, model: string): Json {
  refuseManyCandidates(request);
  return compact({
    Model: model,
    Messages: inOrder(writeMessages(request.system, request.messages).map(writeMessage)),
    Stream: request.stream,
    Temperature: within(request.temperature, 0, 2),
    TopP: within(request.topP, 0, 1),
    Stop: request.stop,
    Seed: within(request.seed, 1, SEED_MAX),
    ...writeTools(request),
  });
}
