import type { Json } from "../../../core/chat/chat.ts";
import { asList, asObject } from "../../../core/chat/json.ts";

const EFFORT_SUFFIX = /^(.+)-(none|minimal|low|medium|high|xhigh)$/;

/** A model family, by name prefix, whose requests differ from those of the older chat models. */
type Family = {
  readonly names: RegExp;
  /** Refuses any temperature and top_p but the default, penalties and stop words. */
  readonly fixedSampling: boolean;
  /** Its first system message must be a developer message. */
  readonly developerRole: boolean;
};

/** The first match counts. */
const FAMILIES: readonly Family[] = [
  { names: /^o1-(mini|preview)/, fixedSampling: true, developerRole: false },
  { names: /^o[134](-|$)/, fixedSampling: true, developerRole: true },
  { names: /^gpt-5(-(mini|nano|pro|codex))*(-\d{4}|$)/, fixedSampling: true, developerRole: false },
  { names: /^gpt-5/, fixedSampling: false, developerRole: false },
];

const withoutVendor = (model: string): string => model.slice(model.lastIndexOf("/") + 1);

const getFamily = (model: string): Family | undefined => {
  const bare = withoutVendor(model);
  return FAMILIES.find(({ names }) => names.test(bare));
};

/** The name used upstream, and the effort given by its suffix. */
export function splitEffort(model: string): { model: string; effort: string | undefined } {
  const match = EFFORT_SUFFIX.exec(model);
  const base = match?.[1];
  return base !== undefined && getFamily(base) ? { model: base, effort: match?.[2] } : { model, effort: undefined };
}

const isSystem = (message: unknown): boolean => asObject(message)?.["role"] === "system";

function renameSystem(body: Json): Json {
  const messages = asList(body["messages"]);
  const at = messages.findIndex(isSystem);
  if (at < 0) return body;
  return {
    ...body,
    messages: messages.map((message, index) => (index === at ? { ...asObject(message), role: "developer" } : message)),
  };
}

function renameTokenBound(body: Json): Json {
  if (body["max_tokens"] === undefined) return body;
  const { max_tokens: bound, ...rest } = body;
  return { ...rest, max_completion_tokens: rest["max_completion_tokens"] ?? bound };
}

const SAMPLING = ["temperature", "top_p", "presence_penalty", "frequency_penalty"] as const;

function dropSampling(body: Json): Json {
  if (SAMPLING.every((name) => body[name] === undefined)) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !SAMPLING.some((fixed) => fixed === name)));
}

const STOPS_MAX = 4;
const IS_OPENAI = /^(gpt-|chatgpt-|o\d)/;

/**
 * Other dialects' stop words as OpenAI's models accept them: at most four, none if sampling is fixed. Source: OpenAI
 * API reference, "Create chat completion", `stop`.
 */
export function stopsFor(model: string, stops: readonly string[] | undefined): readonly string[] | undefined {
  if (getFamily(splitEffort(model).model)?.fixedSampling) return undefined;
  return IS_OPENAI.test(withoutVendor(model)) ? stops?.slice(0, STOPS_MAX) : stops;
}

/** In chat, the o-series refuses `parallel_tool_calls`. */
export const knowsParallelCalls = (model: string): boolean => !/^o\d/.test(withoutVendor(model));

/**
 * Adapts the body to the model's family: the suffix of the name as reasoning_effort, max_tokens as
 * max_completion_tokens, no sampling parameters if they are fixed, a developer message instead of a system message.
 * Returns the same object if nothing has to change.
 */
export function applyModelRules(body: Json, model: string): Json {
  const split = splitEffort(model);
  const family = getFamily(split.model);
  if (!family) return body;
  const named =
    split.effort === undefined
      ? body
      : { ...body, model: split.model, reasoning_effort: body["reasoning_effort"] ?? split.effort };
  const bounded = renameTokenBound(named);
  const sampled = family.fixedSampling ? dropSampling(bounded) : bounded;
  return family.developerRole ? renameSystem(sampled) : sampled;
}

const EFFORT_BY_MODEL: readonly { readonly names: RegExp; readonly efforts: readonly string[] }[] = [
  { names: /^(gpt-3|gpt-4|chatgpt|gpt-5[\d.]*-chat|o1-(mini|preview)|computer-use)/, efforts: [] },
  { names: /-deep-research/, efforts: ["medium"] },
  { names: /^(o\d|codex-|gpt-5-codex)/, efforts: ["low", "medium", "high"] },
  { names: /^gpt-5-pro/, efforts: ["high"] },
  { names: /^gpt-5\.\d+-pro/, efforts: ["medium", "high", "xhigh"] },
  { names: /^gpt-5\.\d+-codex/, efforts: ["low", "medium", "high", "xhigh"] },
  { names: /^gpt-5(-|$)/, efforts: ["minimal", "low", "medium", "high"] },
  { names: /^gpt-5\.1/, efforts: ["none", "low", "medium", "high"] },
  { names: /^gpt-5\.[2-5]/, efforts: ["none", "low", "medium", "high", "xhigh"] },
  { names: /^gpt-5\./, efforts: ["none", "low", "medium", "high", "xhigh", "max"] },
];

const NEXT_BEST: Readonly<Record<string, string>> = { none: "minimal", minimal: "low", max: "xhigh", xhigh: "high" };

/**
 * The supported effort nearest to the requested one; undefined for models without efforts, and for "none" on unknown
 * models (an unsupported effort must not fail the call).
 */
export function supportedEffort(model: string, effort: string): string | undefined {
  const row = EFFORT_BY_MODEL.find(({ names }) => names.test(withoutVendor(model)));
  if (!row) return effort === "none" ? undefined : effort;
  for (let next: string | undefined = effort; next !== undefined; next = NEXT_BEST[next]) {
    if (row.efforts.includes(next)) return next;
  }
  return undefined;
}
