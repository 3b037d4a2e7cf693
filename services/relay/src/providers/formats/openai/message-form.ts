import type { Target } from "../../contract/target.ts";

/**
 * How a provider takes the reasoning of assistant turns back. In `reasoning_content`: where there was any; for every
 * turn, if only as an empty text; or for all turns with calls once any turn has reasoning. In `reasoning`, its newer name.
 * In OpenRouter's fields: only what Claude signed, or as text.
 */
export type ReasoningReturn = "given" | "always" | "with-calls" | "as-reasoning" | "signed-details" | "text-details";

/** Where a provider takes Anthropic's cache breakpoints: in text, or in media and tools too, with their lifetimes. */
export type CacheBreakpoints = "text" | "all";

/** What a provider's messages contain beyond OpenAI's. */
export type MessageForm = { readonly reasoning?: ReasoningReturn; readonly cacheBreakpoints?: CacheBreakpoints };

type Extensions = {
  readonly returnsReasoning?: ReasoningReturn | "details";
  readonly cacheBreakpoints?: CacheBreakpoints;
};

/** OpenRouter (openrouter.ai/docs: prompt caching; reasoning tokens, preserving reasoning). */
export const OPENROUTER_EXTENSIONS: Extensions = { returnsReasoning: "details", cacheBreakpoints: "all" };

/** Model Studio (Context cache, explicit: the marker is a field of a content part and has no lifetime). */
export const MODEL_STUDIO_EXTENSIONS: Extensions = { cacheBreakpoints: "text" };

/** Providers by their host, for channels of a general type that lead to them. */
const BY_HOST: readonly (readonly [RegExp, Extensions])[] = [
  [/^https?:\/\/([\w-]+\.)*openrouter\.ai(?=[:/]|$)/i, OPENROUTER_EXTENSIONS],
  [/^https?:\/\/dashscope[\w-]*\.aliyuncs\.com(?=[:/]|$)/i, MODEL_STUDIO_EXTENSIONS],
];

/**
 * Models whose API takes reasoning back, whoever serves them: DeepSeek's from V3.2 on refuse turns with calls without it
 * (api-docs.deepseek.com, Thinking Mode), R1 refuses it; the others reason worse without it.
 */
const BY_MODEL: readonly (readonly [RegExp, ReasoningReturn | undefined])[] = [
  [/\br1\b/i, undefined],
  [/deepseek/i, "with-calls"],
  [/\b(kimi|mimo|minimax-m\d|glm-(4\.[5-9]|[5-9]))/i, "given"],
];

const IS_CLAUDE = /claude/i;

/** By the model's name, else as the channel returned reasoning before; not where it was refused. */
function findReasoningReturn({ model, reasoningField }: Pick<Target, "model" | "reasoningField">) {
  if (reasoningField === "refused") return undefined;
  const row = BY_MODEL.find(([names]) => names.test(model));
  if (row) return row[1];
  if (reasoningField === "reasoning") return "as-reasoning";
  return reasoningField === undefined ? undefined : "with-calls";
}

/** What the messages of a call contain beyond OpenAI's, by the provider, the channel's URL and the model. */
export function getMessageForm(
  own: Extensions,
  target: Pick<Target, "baseUrl" | "model" | "reasoningField">,
): MessageForm {
  const { baseUrl, model } = target;
  const { returnsReasoning, cacheBreakpoints } = {
    ...BY_HOST.find(([host]) => host.test(baseUrl))?.[1],
    ...own,
  };
  const details = IS_CLAUDE.test(model) ? "signed-details" : "text-details";
  const reasoning = returnsReasoning === "details" ? details : (returnsReasoning ?? findReasoningReturn(target));
  return { ...(reasoning ? { reasoning } : {}), ...(cacheBreakpoints ? { cacheBreakpoints } : {}) };
}
