import type { PriceRules } from "./price-rule.ts";

/** Prices of some models, for tests. */
export const EXAMPLE_RULES: PriceRules = {
  "gpt-4o": {
    input: 2.5,
    output: 10,
    cache_read: 1.25,
  },
  "gpt-4o-mini": {
    input: 0.15,
    output: 0.6,
    cache_read: 0.075,
    per_search: 0.025,
  },
  "claude-3-5-sonnet-20241022": {
    input: 3,
    output: 15,
    cache_read: 0.3,
    cache_write: 3.75,
    cache_write_1h: 6,
  },
  "gpt-3.5-turbo": {
    input: 0.5,
    output: 1.5,
  },
  "gemini-2.5-flash": {
    input: 0.3,
    output: 2.5,
    cache_read: 0.03,
    audio_input: 1,
    audio_cache_read: 0.1,
    reasoning: 2.5,
    per_search: 0.035,
  },
  "glm-4-flash": {
    input: 0,
    output: 0,
  },
  "dall-e-3": {
    per_call: 0.04,
  },
  "gpt-4o-audio-preview": {
    input: 2.5,
    output: 10,
    audio_input: 40,
    audio_output: 80,
  },
  "gpt-realtime": {
    input: 4,
    output: 16,
    cache_read: 0.4,
    audio_input: 32,
    audio_output: 64,
    audio_cache_read: 0.4,
    image_input: 5,
    image_cache_read: 0.5,
  },
  "gpt-image-1": {
    input: 5,
    cache_read: 1.25,
    image_input: 10,
    image_output: 40,
    image_cache_read: 2.5,
    output: 0,
  },
  o3: {
    input: 2,
    output: 8,
    cache_read: 0.5,
    per_search: 0.01,
  },
  "gpt-4-gizmo-*": {
    per_call: 0.1,
  },
};
