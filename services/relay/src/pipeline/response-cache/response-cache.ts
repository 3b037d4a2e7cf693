import { hash } from "node:crypto";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { getChargeHeaders } from "../../core/call/charge-headers.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import type { Exchange } from "../../core/call/exchange.ts";
import type { CallMeter } from "../../accounting/holds/meters/call-meter.ts";
import type { CallOutcome } from "../../accounting/usage/call-outcome.ts";
import type { RoutedChannel } from "../../core/call/channel.ts";
import type { CachedResponse, CachedResponses } from "./cached-responses.ts";
import { recordResponse, type RecordedResponse } from "./response-recorder.ts";

const RESPONSE_BYTES_MAX = 256 * 1024;

/** Cache access of one call. */
export type CacheEntry = {
  /**
   * Serves the call from the cache and charges for it. On a miss, returns false and starts recording what is sent to
   * the caller.
   */
  readonly serve: (
    exchange: Exchange,
    meter: Pick<CallMeter, "charge" | "getCharge" | "cachedResponseRatio">,
  ) => Promise<boolean>;
  /** Called after the call was served and charged: stores the response if it is complete. */
  readonly keep: (outcome: CallOutcome | undefined) => void;
};

/** Only calls with an explicit temperature of 0 are cached, since their callers expect the same output each time. */
function isRepeatable({ body, dialect, form }: RelayCall): boolean {
  if (form || (dialect.endpoint && !dialect.endpoint.isCacheable)) return false;
  const config = body["generationConfig"] ?? body["generation_config"];
  const temperature =
    typeof config === "object" && config !== null ? (config as Record<string, unknown>)["temperature"] : undefined;
  return (temperature ?? body["temperature"]) === 0;
}

const mayKeep = (call: RelayCall, channel: RoutedChannel | undefined): boolean =>
  channel?.cachesResponses === true || call.admitted.caller.known.token.responseCache === true;

/**
 * Everything that the response depends on. Users and groups never share an entry; a call pinned to a channel uses only
 * that channel's entries.
 */
function getDigest({ admitted, dialect, model, stream, group, clientHeaders, bodyText }: RelayCall): string {
  const { pinnedChannelId: pinned, caller } = admitted;
  const facts = [caller.known.token.userId, group, dialect.name, model, stream, clientHeaders, pinned];
  return hash("sha256", JSON.stringify(facts) + bodyText);
}

function replay(
  exchange: Exchange,
  { contentType, body }: CachedResponse,
  { isStream, reported }: { readonly isStream: boolean; readonly reported: Readonly<Record<string, string>> },
): void {
  if (exchange.isDisconnected()) return;
  const { response } = exchange;
  // A stream that already sent keep-alive comments has already sent its headers.
  if (response.headersSent) {
    response.addTrailers(reported);
    return void response.end(body);
  }
  response.writeHead(200, {
    "content-type": contentType,
    ...(isStream ? { "cache-control": "no-cache", "x-accel-buffering": "no" } : { "content-length": body.length }),
    "x-request-id": exchange.requestId,
    "x-turnpike-cache": "hit",
    ...reported,
  });
  response.end(body);
}

export type ResponseCache = ReturnType<typeof createResponseCache>;

/**
 * Cache for responses of deterministic calls, where the site and the channel or the token enable it. A hit passes every
 * check and limit like any call, costs its configured share of the price, and sends no upstream request.
 */
export function createResponseCache(deps: {
  responses: CachedResponses;
  options: () => OptionsInForce;
  now: () => number;
}) {
  const { responses, options, now } = deps;

  const open = (call: RelayCall): CacheEntry => {
    const id = getDigest(call);
    const slots = options().number("ResponseCacheEntries");
    let recorded: { exchange: Exchange; response: () => RecordedResponse | undefined } | undefined;
    return {
      async serve(exchange, meter) {
        const kept = await responses.find(id, slots);
        if (!kept) {
          recorded = { exchange, response: recordResponse(exchange.response, RESPONSE_BYTES_MAX) };
          return false;
        }
        // No upstream request was sent.
        call.tried.length = 0;
        call.firstByteAtMs = now();
        const { usage, estimated } = kept;
        await meter.charge({ usage, estimated, error: undefined, hitRatio: meter.cachedResponseRatio });
        replay(exchange, kept, { isStream: call.stream, reported: getChargeHeaders(meter.getCharge(), options()) });
        return true;
      },
      keep(outcome) {
        const isWhole = recorded && outcome && !outcome.error && !recorded.exchange.isDisconnected();
        const response = isWhole ? recorded?.response() : undefined;
        if (!outcome || !response || !mayKeep(call, call.tried.at(-1)?.channel)) return;
        const { usage, estimated } = outcome;
        const rule = { slots, seconds: options().number("ResponseCacheSeconds") };
        void responses.keep(id, { ...response, usage, estimated }, rule);
      },
    };
  };
  return {
    /** Undefined for most calls: the cache is off, or the call is not cacheable. */
    entryFor(call: RelayCall, channel: RoutedChannel): CacheEntry | undefined {
      if (!options().flag("ResponseCacheEnabled") || !mayKeep(call, channel) || !isRepeatable(call)) return undefined;
      // The usage holds what this call costs; a hit costs less.
      if (call.includeCharge || options().flag("UsageCostEnabled")) return undefined;
      // Responses that are filtered or logged are not cached.
      return call.content === undefined ? open(call) : undefined;
    },
  };
}
