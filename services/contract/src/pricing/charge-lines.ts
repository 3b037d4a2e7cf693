import type { FlatPrice, PiecePrices } from "./model-price.ts";
import type { TokenKind } from "./rules/price-rule.ts";
import { AUDIO_INPUT, findToolPrice } from "./tool-prices.ts";
import type { TokenUsage } from "./usage.ts";

/** A number of tokens of one kind, and what one of them counts for. */
export type TokenLine = { readonly kind: TokenKind; readonly tokens: number; readonly weight: number };

/** Charges in dollars in addition to the tokens: `count` at `dollars` for every `per` of them. */
export type DollarLine = {
  readonly name: string;
  readonly count: number;
  readonly dollars: number;
  readonly per: 1 | 1000 | 1_000_000;
};

export type ChargeLines = { readonly tokens: readonly TokenLine[]; readonly dollars: readonly DollarLine[] };

/** The prices that the lines of a call need. */
export type LinePrices = FlatPrice & {
  /** Dollars for 1000 calls, by tool; see tool-prices.ts. */
  readonly toolPrices: Readonly<Record<string, number>>;
  readonly pieces?: PiecePrices;
};

const SPECIAL_PARTS = [
  "toolCalls",
  "audioPromptTokens",
  "imagePromptTokens",
  "videoPromptTokens",
  "audioCacheReadTokens",
  "imageCacheReadTokens",
  "audioCompletionTokens",
  "imageCompletionTokens",
  "videoCompletionTokens",
  "cacheWriteLongTokens",
  "seconds",
  "pages",
] as const satisfies readonly (keyof TokenUsage)[];

/** True where the usage has parts that the plain text formula does not cover. */
export const hasSpecialParts = (
  usage: TokenUsage,
  { weights, pieces }: Pick<LinePrices, "weights" | "pieces">,
): boolean =>
  pieces !== undefined ||
  (usage.reasoningTokens > 0 && weights.reasoning !== weights.output) ||
  SPECIAL_PARTS.some((part) => usage[part] !== undefined);

/** Takes parts from a total, never more than the total. */
function createShare(whole: number) {
  let left = whole;
  return {
    take(part = 0): number {
      const taken = Math.min(Math.max(part, 0), left);
      left -= taken;
      return taken;
    },
    rest: (): number => left,
  };
}

/** Prompt audio with its own price in dollars. */
const isAudioInDollars = ({ toolPrices }: LinePrices): boolean => findToolPrice(toolPrices, AUDIO_INPUT) > 0;

/** A minute of a recording counts as a thousand tokens if the upstream does not report its length. */
const TOKEN_MS = 60;

function pieceLines({ pieces }: LinePrices, usage: TokenUsage): DollarLine[] {
  const { perSecond = 0, perPage = 0 } = pieces ?? {};
  const milliseconds = usage.seconds === undefined ? usage.promptTokens * TOKEN_MS : Math.round(usage.seconds * 1000);
  return [
    { name: "seconds", count: perSecond > 0 ? milliseconds : 0, dollars: perSecond, per: 1000 },
    { name: "pages", count: usage.pages ?? 0, dollars: perPage, per: 1 },
  ];
}

/** The calls of a tool that its price is for. */
export const PER_TOOL_PRICE = 1_000;

function dollarLines(price: LinePrices, usage: TokenUsage, audioTokens: number): DollarLine[] {
  const tools = Object.entries(usage.toolCalls ?? {}).map(([name, count]): DollarLine => ({
    name,
    count,
    dollars: findToolPrice(price.toolPrices, name),
    per: PER_TOOL_PRICE,
  }));
  const audio = { name: AUDIO_INPUT, count: audioTokens, dollars: findToolPrice(price.toolPrices, AUDIO_INPUT) };
  const all = [...tools, { ...audio, per: 1_000_000 as const }, ...pieceLines(price, usage)];
  return all.filter(({ count, dollars }) => count > 0 && dollars > 0);
}

/** The tokens of a call by kind. */
function splitTokens(usage: TokenUsage): readonly (readonly [TokenKind, number])[] {
  const prompt = createShare(usage.promptTokens);
  const cached = createShare(prompt.take(usage.cacheReadTokens));
  const written = createShare(prompt.take(usage.cacheWriteTokens));
  const completion = createShare(usage.completionTokens);
  const special: [TokenKind, number][] = [
    ["audio_cache_read", cached.take(usage.audioCacheReadTokens)],
    ["image_cache_read", cached.take(usage.imageCacheReadTokens)],
    ["cache_read", cached.rest()],
    ["cache_write_1h", written.take(usage.cacheWriteLongTokens)],
    ["cache_write", written.rest()],
    ["audio_input", prompt.take(usage.audioPromptTokens)],
    ["image_input", prompt.take(usage.imagePromptTokens)],
    ["video_input", prompt.take(usage.videoPromptTokens)],
    ["audio_output", completion.take(usage.audioCompletionTokens)],
    ["image_output", completion.take(usage.imageCompletionTokens)],
    ["video_output", completion.take(usage.videoCompletionTokens)],
    ["reasoning", completion.take(usage.reasoningTokens)],
  ];
  return [["input", prompt.rest()], ...special, ["output", completion.rest()]];
}

/** All charges of a call, line by line. For a model with a per-call price the tokens are free. */
export function chargeLines(price: LinePrices, usage: TokenUsage): ChargeLines {
  const kinds = splitTokens(usage);
  const inDollars = isAudioInDollars(price);
  const audioTokens = kinds.find(([kind]) => kind === "audio_input")?.[1] ?? 0;
  const dollars = dollarLines(price, usage, inDollars ? audioTokens : 0);
  if (price.mode === "call") return { tokens: [], dollars };
  const tokens = kinds
    .filter(([kind, count]) => count > 0 && !(inDollars && kind === "audio_input"))
    .map(([kind, count]): TokenLine => ({ kind, tokens: count, weight: price.weights[kind] }));
  return { tokens, dollars };
}
