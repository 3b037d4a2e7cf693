import { hash } from "node:crypto";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { RelayCall } from "../../core/call/relay-call.ts";
import type { Exchange } from "../../core/call/exchange.ts";
import type { CallMeter } from "../../accounting/holds/call-meter.ts";
import type { CallOutcome } from "../../accounting/usage/usage-record.ts";
import type { RoutedChannel } from "../../core/call/channel.ts";
import type { CachedResponse, CachedResponses } from "./cached-responses.ts";
import { recordAnswer, type RecordedAnswer } from "./response-recorder.ts";

const ANSWER_BYTES_MAX = 256 * 1024;

/** One call's dealings with the cache. */
export type CacheEntry = {
  /** Answers from the cache and charges for it; when nothing is kept, false, and what goes to the caller is recorded. */
  readonly serve: (exchange: Exchange, meter: Pick<CallMeter, "charge">) => Promise<boolean>;
  /** The call was answered and charged: keeps the answer when it was whole. */
  readonly keep: (outcome: CallOutcome | undefined) => void;
};

/** Only where the caller wants the same words each time: temperature 0, said so. */
function isRepeatable({ body, dialect, form }: RelayCall): boolean {
  if (form || (dialect.endpoint && dialect.name !== "openai-completions")) return false;
  const config = body["generationConfig"] ?? body["generation_config"];
  const temperature =
    typeof config === "object" && config !== null ? (config as Record<string, unknown>)["temperature"] : undefined;
  return (temperature ?? body["temperature"]) === 0;
}

const mayKeep = (call: RelayCall, channel: RoutedChannel | undefined): boolean =>
  channel?.cachesResponses === true || call.admitted.caller.known.token.responseCache === true;

/** Everything that an answer depends on; never the same for two users or groups. Who names a channel wants that one's answer. */
function digestOf({ admitted, dialect, model, stream, group, callerHeaders, bodyText }: RelayCall): string {
  const { pinnedChannelId: pinned, caller } = admitted;
  const facts = [caller.known.token.userId, group, dialect.name, model, stream, callerHeaders, pinned];
  return hash("sha256", JSON.stringify(facts) + bodyText);
}

function replay(exchange: Exchange, { contentType, body }: CachedResponse, isStream: boolean): void {
  if (exchange.isDisconnected()) return;
  const { response } = exchange;
  // A stream kept alive by comments has its head already.
  if (response.headersSent) return void response.end(body);
  response.writeHead(200, {
    "content-type": contentType,
    ...(isStream ? { "cache-control": "no-cache", "x-accel-buffering": "no" } : { "content-length": body.length }),
    "x-request-id": exchange.requestId,
    "x-turnpike-cache": "hit",
  });
  response.end(body);
}

export type ResponseCache = ReturnType<typeof createResponseCache>;

/**
 * Answers of calls that want the same words each time, kept where the site, and the channel or the token, say so. A hit passes every
 * check and limit like any call, costs its share of the price, and reaches no upstream.
 */
export function createResponseCache(deps: {
  answers: CachedResponses;
  options: () => OptionsInForce;
  now: () => number;
}) {
  const { answers, options, now } = deps;

  const open = (call: RelayCall): CacheEntry => {
    const id = digestOf(call);
    const slots = options().number("ResponseCacheEntries");
    let recorded: { exchange: Exchange; answer: () => RecordedAnswer | undefined } | undefined;
    return {
      async serve(exchange, meter) {
        const kept = await answers.find(id, slots);
        if (!kept) {
          recorded = { exchange, answer: recordAnswer(exchange.response, ANSWER_BYTES_MAX) };
          return false;
        }
        // No upstream was asked.
        call.tried.length = 0;
        call.firstByteAtMs = now();
        const { usage, estimated } = kept;
        await meter.charge({ usage, estimated, error: undefined, hitRatio: options().number("ResponseCacheRatio") });
        replay(exchange, kept, call.stream);
        return true;
      },
      keep(outcome) {
        const isWhole = recorded && outcome && !outcome.error && !recorded.exchange.isDisconnected();
        const answer = isWhole ? recorded?.answer() : undefined;
        if (!outcome || !answer || !mayKeep(call, call.tried.at(-1)?.channel)) return;
        const { usage, estimated } = outcome;
        const rule = { slots, seconds: options().number("ResponseCacheSeconds") };
        void answers.keep(id, { ...answer, usage, estimated }, rule);
      },
    };
  };
  return {
    /** Undefined for nearly every call: the cache is off, or the call is not for it. */
    entryFor(call: RelayCall, channel: RoutedChannel): CacheEntry | undefined {
      if (!options().flag("ResponseCacheEnabled") || !mayKeep(call, channel) || !isRepeatable(call)) return undefined;
      // Answers that are watched or logged are made anew each time.
      return call.content === undefined ? open(call) : undefined;
    },
  };
}
