import { DEFAULT_MODEL_PRICE, DEFAULT_MODEL_RATIO } from "../pricing/default-prices.ts";
import { CHANNEL_TYPES } from "./channel-types.ts";

/** How the names of a provider's own models begin, by channel type; types without an entry have no models of their own. */
const OWN_NAMES: Readonly<Record<number, RegExp>> = {
  1: /^(gpt-|chatgpt-|o\d|text-embedding-(3|ada)|text-moderation|whisper-|tts-|dall-e-|babbage-|davinci-|sora-)/,
  14: /^claude-/,
  24: /^(gemini-|text-embedding-004$|imagen-|veo-)/,
};
/** Patterns such as gpt-4-gizmo-* stand in the price tables, but are no model that can be called. */
const CALLABLE = /^[\w.:/-]+$/;

const pricedNames = [...new Set([...Object.keys(DEFAULT_MODEL_RATIO), ...Object.keys(DEFAULT_MODEL_PRICE)])].filter(
  (name) => CALLABLE.test(name),
);

/** The models that a new channel of each type starts with: those of the provider that have a built-in price. */
export const DEFAULT_MODELS_BY_TYPE: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  CHANNEL_TYPES.map(({ id }) => {
    const own = OWN_NAMES[id];
    return [String(id), own ? pricedNames.filter((name) => own.test(name)) : []];
  }),
);
