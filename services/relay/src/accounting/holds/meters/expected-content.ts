import type { ExpectedUsage } from "@turnpike/contract/pricing/hold-quota";
import { AUDIO_INPUT, findToolPrice } from "@turnpike/contract/pricing/tool-prices";
import type { ModelPrice } from "@turnpike/contract/pricing/price-tables";
import type { RelayCall } from "../../../core/call/relay-call.ts";

type ExpectedContent = Omit<ExpectedUsage, "promptTokens" | "completionTokens" | "toolCalls">;

const hasAudio = ({ bodyText, dialect, form }: RelayCall): boolean =>
  dialect.isWebSocket === true || form !== undefined || /"(input_)?audio["/]|"AUDIO"/.test(bodyText);

/** Lifetimes of cache entries that cost more: Anthropic's and OpenAI's. */
const LONG_LIFETIME = /"(1h|12h)"/;

/**
 * What a request may contain in addition to text, as far as it makes a call more expensive: read from the body's text, and only where the
 * model has a higher price for it. `addsBreakpoints` if callers of other formats get cache breakpoints of Claude models.
 */
export function getExpectedContent(call: RelayCall, price: ModelPrice, addsBreakpoints = false): ExpectedContent {
  const { weights, mode, toolPrices } = price;
  if (mode === "call") return {};
  const isAudioDearer =
    weights.audio_input > weights.input ||
    weights.audio_output > weights.output ||
    findToolPrice(toolPrices, AUDIO_INPUT) > 0;
  const expectsAudio = isAudioDearer && hasAudio(call);
  const hasBreakpoints =
    call.bodyText.includes("cache_control") || (addsBreakpoints && call.dialect.name !== "anthropic-messages");
  const writes = weights.cache_write > weights.input && hasBreakpoints;
  return {
    ...(expectsAudio ? { hasAudioInput: true, hasAudioOutput: true } : {}),
    ...(writes ? { hasCacheWrites: true } : {}),
    ...((writes || price.writesCache === true) && LONG_LIFETIME.test(call.bodyText)
      ? { hasLongCacheWrites: true }
      : {}),
  };
}
