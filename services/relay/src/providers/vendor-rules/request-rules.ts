import type { Json } from "../../core/chat/chat.ts";
import { asList, asObject, asText } from "../../core/chat/json.ts";
import {
  type BodyRule,
  clamp,
  developerAsSystem,
  drop,
  convertEffortToThinking,
  inOrder,
  mapMessages,
  mapParts,
  mergeNeighbours,
  rename,
  stopAsList,
} from "../shared/body-rules.ts";
import { schemaAsInstruction } from "./json-schema-rule.ts";

const DATA_URL_PREFIX = /^data:[^,]*;base64,/i;

/** Qwen's open models reason by default, and refuse reasoning in non-streaming calls. */
const OPEN_QWEN = /^qwen3-\d+(\.\d+)?b(?!.*(instruct|thinking))/;

const qwenThinking: BodyRule = (body, { model }) => {
  const { reasoning_effort: effort, ...rest } = body as Readonly<Record<string, unknown>>;
  const plain = effort === undefined ? body : rest;
  if (OPEN_QWEN.test(model) && body["stream"] !== true)
    return plain["enable_thinking"] === false ? plain : { ...plain, enable_thinking: false };
  if (asText(effort) === undefined || plain["enable_thinking"] !== undefined) return plain;
  return { ...plain, enable_thinking: effort !== "none" };
};

/** Ali does not support the tool choice `required` (its error page: "should be none, auto"). */
const adaptAliToolChoice: BodyRule = (body) =>
  body["tool_choice"] === "required" ? { ...body, tool_choice: "auto" } : body;

/** Ali: temperature below 2, top_p in the open interval, reasoning by its own parameter. */
export const aliRules: BodyRule = inOrder(
  developerAsSystem,
  clamp("temperature", 0, 1.99),
  clamp("top_p", 0.001, 0.999),
  adaptAliToolChoice,
  qwenThinking,
);

const SWITCHABLE = /qwen3|glm-4\.[5-9]|deepseek-v3\.[1-9]|hunyuan-a13b/i;

/** Models without reasoning refuse the reasoning parameter. */
const switchedThinking: BodyRule = (body, { model }) => {
  if (body["reasoning_effort"] === undefined) return body;
  const { reasoning_effort: effort, ...rest } = body;
  if (asText(effort) === undefined) return rest;
  return SWITCHABLE.test(model) ? { ...rest, enable_thinking: rest["enable_thinking"] ?? effort !== "none" } : rest;
};

/** SiliconFlow: reasoning by a parameter that some models have. */
export const siliconFlowRules: BodyRule = inOrder(
  developerAsSystem,
  rename("max_completion_tokens", "max_tokens"),
  switchedThinking,
);

/** Base64 images without the prefix of their data URL. */
function bareImage(part: Json): Json {
  const image = asObject(part["image_url"]);
  const url = asText(image?.["url"]);
  if (url === undefined || !DATA_URL_PREFIX.test(url)) return part;
  return { ...part, image_url: { ...image, url: url.replace(DATA_URL_PREFIX, "") } };
}

/**
 * Zhipu's models choose tools themselves (docs.bigmodel.cn: tool_choice is "auto"); if the choice is `none`, no tools
 * are sent.
 */
const adaptZhipuToolChoice: BodyRule = (body, target) => {
  const choice = body["tool_choice"];
  if (choice === undefined || choice === "auto") return body;
  return choice === "none" ? drop("tools", "tool_choice")(body, target) : { ...body, tool_choice: "auto" };
};

/** At most one stop text. */
const oneStop: BodyRule = (body) => {
  const stops = asList(body["stop"]);
  return stops.length > 1 ? { ...body, stop: stops.slice(0, 1) } : body;
};

/** Ollama's OpenAI-compatible API: the token limit under its older name. */
export const ollamaRules: BodyRule = inOrder(
  developerAsSystem,
  rename("max_completion_tokens", "max_tokens"),
  stopAsList,
);

/** Zhipu: numbers up to 1, stop as a list of one, images as plain base64, reasoning by a parameter, no schemas. */
export const zhipuRules: BodyRule = inOrder(
  developerAsSystem,
  clamp("temperature", 0, 1),
  clamp("top_p", 0.01, 0.99),
  stopAsList,
  oneStop,
  adaptZhipuToolChoice,
  rename("max_completion_tokens", "max_tokens"),
  convertEffortToThinking,
  schemaAsInstruction,
  (body) => mapMessages(body, (message) => mapParts(message, bareImage)),
);

const AUDIO_FORMATS: ReadonlySet<unknown> = new Set(["wav", "pcm"]);

/**
 * Zhipu supports two audio formats, raw samples by default (docs.bigmodel.cn, text-to-speech): other formats become
 * wav.
 */
export const zhipuSpeechRules: BodyRule = (body) =>
  AUDIO_FORMATS.has(body["response_format"]) ? body : { ...body, response_format: "wav" };

/** Perplexity: alternating roles, temperature below 2, top_p below 1. */
export const perplexityRules: BodyRule = inOrder(
  developerAsSystem,
  clamp("temperature", 0, 1.99),
  clamp("top_p", 0, 0.99),
  rename("max_completion_tokens", "max_tokens"),
  drop("stream_options"),
  mergeNeighbours,
);

/** Moonshot: temperature up to 1, reasoning by a parameter. */
export const moonshotRules: BodyRule = inOrder(
  developerAsSystem,
  clamp("temperature", 0, 1),
  rename("max_completion_tokens", "max_tokens"),
  convertEffortToThinking,
);

/** For providers that support neither OpenAI's newer token limit nor its effort. */
export const plainRules: BodyRule = inOrder(
  developerAsSystem,
  rename("max_completion_tokens", "max_tokens"),
  drop("reasoning_effort"),
);

/** MiniMax: temperature above 0 and up to 1. */
export const minimaxRules: BodyRule = inOrder(plainRules, clamp("temperature", 0.01, 1));

/** Volcengine: reasoning by a parameter. */
export const thinkingRules: BodyRule = inOrder(
  developerAsSystem,
  rename("max_completion_tokens", "max_tokens"),
  convertEffortToThinking,
);

/** DeepSeek: reasoning by a parameter, and no schemas. */
export const deepSeekRules: BodyRule = inOrder(thinkingRules, schemaAsInstruction);

const GROK_EFFORT = /^(grok-3-mini.*?)-(high|medium|low)$/;
const REASONS = /^grok-(3-mini|[4-9]|code)(?!.*non-reasoning)/;
/** Efforts are supported by grok-3-mini (low and high), and by models from 4.3 on (docs.x.ai, reasoning). */
const TAKES_EFFORT = /^grok-(?:4[.-](?:[3-9]|\d\d)(?!\d)|[5-9])/;
const MINI_EFFORTS: Readonly<Record<string, string>> = {
  medium: "high",
  xhigh: "high",
  max: "high",
  minimal: "low",
  none: "low",
};

const miniEffort: BodyRule = (body) => {
  const effort = asText(body["reasoning_effort"]);
  const taken = effort === undefined ? undefined : MINI_EFFORTS[effort];
  return taken === undefined ? body : { ...body, reasoning_effort: taken };
};

/**
 * xAI: an effort suffix in the name is the effort; reasoning models refuse penalties and stops, and most refuse efforts
 * too.
 */
export const xaiRules: BodyRule = (body, target) => {
  const match = GROK_EFFORT.exec(target.model);
  const model = match?.[1] ?? target.model;
  const named = match ? { ...body, model, reasoning_effort: body["reasoning_effort"] ?? match[2] } : body;
  if (!REASONS.test(model)) return drop("reasoning_effort")(named, target);
  const isMini = model.startsWith("grok-3-mini");
  const refused = ["presence_penalty", "frequency_penalty", "stop"];
  if (!isMini && !TAKES_EFFORT.test(model)) refused.push("reasoning_effort");
  const effort = isMini ? miniEffort : (kept: Json) => kept;
  return inOrder(drop(...refused), effort, rename("max_tokens", "max_completion_tokens"))(named, target);
};
