import { DEFAULT_MODEL_PRICE, DEFAULT_MODEL_RATIO } from "../pricing/default-prices.ts";
import { CHANNEL_TYPES } from "./channel-types.ts";
import { DEFAULT_MODEL_LISTS } from "./default-model-lists.ts";

/** Prefixes of a provider's own model names, by channel type; types without an entry have no models of their own. */
const OWN_NAMES: Readonly<Record<number, RegExp>> = {
  1: /^(gpt-|chatgpt-|o\d|text-embedding-(3|ada)|text-moderation|whisper-|tts-|dall-e-|babbage-|davinci-|sora-)/,
  14: /^claude-/,
  24: /^(gemini-|text-embedding-004$|imagen-|veo-)/,
};
/** Patterns such as gpt-4-gizmo-* appear in the price tables, but are not callable models. */
const CALLABLE = /^[\w.:/-]+$/;

const pricedNames = [...new Set([...Object.keys(DEFAULT_MODEL_RATIO), ...Object.keys(DEFAULT_MODEL_PRICE)])].filter(
  (name) => CALLABLE.test(name),
);

/** Types that serve OpenAI's models under OpenAI's names. */
const AS_OPENAI: ReadonlySet<number> = new Set([1, 3]);

/** The default models of a new channel of a type; none where the account decides (custom, OpenRouter, Dify). */
export function getDefaultModels(type: number): readonly string[] {
  const own = OWN_NAMES[AS_OPENAI.has(type) ? 1 : type];
  return own ? pricedNames.filter((name) => own.test(name)) : (DEFAULT_MODEL_LISTS[type] ?? []);
}

/** The default models of a new channel by type: the provider's models with a built-in price, else a manual list. */
export const DEFAULT_MODELS_BY_TYPE: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  CHANNEL_TYPES.map(({ id }) => [String(id), getDefaultModels(id)]),
);
