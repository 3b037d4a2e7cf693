import type { Dialect } from "./source/source-rows.ts";

/** The default address for source types that are OpenAI-compatible channels with an address here. */
type ChannelTarget = { readonly type: number; readonly baseUrl?: string };

/** Channel types of one-api's numbers; numbers not listed mean the same here. */
const ONE_API: Readonly<Record<number, ChannelTarget>> = {
  2: { type: 1, baseUrl: "https://oa.api2d.net" },
  4: { type: 1, baseUrl: "https://api.closeai-proxy.xyz" },
  5: { type: 1, baseUrl: "https://api.openai-sb.com" },
  6: { type: 1, baseUrl: "https://api.openaimax.com" },
  7: { type: 1, baseUrl: "https://api.ohmygpt.com" },
  9: { type: 1, baseUrl: "https://api.caipacity.com" },
  10: { type: 1, baseUrl: "https://api.aiproxy.io" },
  12: { type: 1, baseUrl: "https://api.api2gpt.com" },
  13: { type: 1, baseUrl: "https://api.aigc2d.com" },
  26: { type: 1, baseUrl: "https://api.baichuan-ai.com" },
  27: { type: 35 },
  28: { type: 42 },
  29: { type: 1, baseUrl: "https://api.groq.com/openai" },
  30: { type: 4 },
  32: { type: 1, baseUrl: "https://api.stepfun.com" },
  35: { type: 34 },
  36: { type: 43 },
  37: { type: 39 },
  39: { type: 1, baseUrl: "https://api.together.xyz" },
  40: { type: 45 },
  41: { type: 1, baseUrl: "https://api.novita.ai/v3/openai" },
  42: { type: 41 },
  44: { type: 40 },
  45: { type: 48 },
  47: { type: 46 },
  49: { type: 17 },
  50: { type: 1 },
  51: { type: 1, baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai" },
};
/** Numbers of one-api for providers that are not supported here, although the number means another provider here. */
const ONE_API_UNKNOWN = new Set([34, 38, 43, 46, 48]);

/**
 * The channel type that matches a source channel, with an address if the source type had a built-in one; undefined if
 * there is none.
 */
export function toChannelType(dialect: Dialect, type: number): ChannelTarget | undefined {
  if (dialect !== "one-api") return { type };
  return ONE_API_UNKNOWN.has(type) ? undefined : (ONE_API[type] ?? { type });
}
