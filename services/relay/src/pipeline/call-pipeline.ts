import type { Redis } from "@turnpike/shared/redis/redis";
import type { HandleCall } from "../core/call/exchange.ts";
import { withContentPolicy } from "./content-rules.ts";
import { type CallHandlerDeps, createCallHandler } from "./relay-handler.ts";
import { createCachedResponses } from "./response-cache/cached-responses.ts";
import { createResponseCache } from "./response-cache/response-cache.ts";
import { withItemReferences } from "./response-items/item-references.ts";
import { createContextTokens } from "./provider-state/context-tokens.ts";
import { withSummaries } from "./stored-responses/opened-summaries.ts";
import { createStateBinding } from "./provider-state/state-binding.ts";
import type { StateCodec } from "./provider-state/state-codec.ts";
import { withFallbackModels } from "./fallback-models/fallback-models.ts";
import { type IdempotentCalls, withIdempotency } from "./idempotency/idempotent-calls.ts";
import { BackgroundResponses } from "./stored-responses/background-responses.ts";
import type { ResponseOwners } from "./stored-responses/response-owners.ts";
import { withStoredResponses } from "./stored-responses/stored-calls.ts";
import type { StoredResponses } from "./stored-responses/stored-responses.ts";
import { createStoredItems } from "./response-items/stored-items.ts";

type Deps = Omit<CallHandlerDeps, "cache" | "bindState"> & {
  readonly redis: Redis;
  readonly idempotentCalls: IdempotentCalls;
  readonly storedResponses: StoredResponses;
  readonly responseOwners: ResponseOwners;
  readonly stateCodec: StateCodec;
};

/**
 * The steps around an authenticated call whose body was read, in order:
 *
 *  0. Idempotency (idempotency): a repeat of a call with a key gets the first one's response, and nothing below runs.
 *  1. Item references (response-items): items that a request refers to are inserted, new ones are stored.
 *     Stored responses (stored-responses): a call continues one, its own response is stored, or runs in the background.
 *     Summaries of compacted conversations (stored-responses) become messages.
 *  2. Content policy (content-rules): the request is checked, the response is filtered, and keep-alive comments start.
 *  3. Models (fallback-models): the model that the name stands for, and the next one where it fails; each runs what follows.
 *  4. Group check (admission/call-group).
 *  5. Candidates (candidates): the channels that serve the model and endpoint, or the account that keeps the state of
 *     the call (provider-state); the first one is chosen.
 *  6. Response cache (response-cache): its entry is looked up once the hold is placed; a hit skips the attempts.
 *  7. Hold (accounting/holds/metering): the upper bound of the cost is reserved.
 *  8. Attempts (attempt, with prepare): prepare the request, send it, retry on another channel before the first byte.
 *  9. Settlement (settle, accounting/holds): the actual cost replaces the hold, or the hold is released.
 * 10. Metrics (attempt/attempt-telemetry): outcome and charged tokens are counted.
 */
export function createCallPipeline({ redis, stateCodec, idempotentCalls, ...deps }: Deps): {
  readonly handleCall: HandleCall;
  readonly background: BackgroundResponses;
} {
  const { options, now } = deps;
  const cache = createResponseCache({ responses: createCachedResponses(redis), options, now });
  const contextTokens = createContextTokens(redis);
  const bindState = createStateBinding({ codec: stateCodec, options, table: deps.table, contextTokens });
  const handleCall = createCallHandler({ ...deps, cache, bindState });
  const handleModels = withFallbackModels(handleCall, deps);
  const handleOpened = withSummaries(withContentPolicy(handleModels, options), stateCodec);
  const items = createStoredItems(redis);
  const { storedResponses: responses } = deps;
  // A background response that is taken over begins here.
  const handleAgain = withItemReferences(handleOpened, items, options);
  const background = new BackgroundResponses(handleAgain, responses, deps.responseOwners);
  const handleStored = withStoredResponses(handleOpened, { responses, background, now });
  const handleOnce = withItemReferences(handleStored, items, options);
  return { handleCall: withIdempotency(handleOnce, idempotentCalls), background };
}
