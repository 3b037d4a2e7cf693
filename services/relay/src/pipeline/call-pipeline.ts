import type { Redis } from "@turnpike/shared/redis/redis";
import type { HandleCall } from "../core/call/exchange.ts";
import { withContentPolicy } from "./content-rules.ts";
import { type CallHandlerDeps, createCallHandler } from "./relay-handler.ts";
import { createCachedResponses } from "./response-cache/cached-responses.ts";
import { createResponseCache } from "./response-cache/response-cache.ts";
import { withItemReferences } from "./response-items/item-references.ts";
import { createStoredItems } from "./response-items/stored-items.ts";

type Deps = Omit<CallHandlerDeps, "cache"> & { readonly redis: Pick<Redis, "getBuffer" | "set" | "mget"> };

/**
 * The steps around an authenticated call whose body was read, in order:
 *
 *  1. Item references (response-items): items that a request refers to are inserted, new ones are stored.
 *  2. Content policy (content-rules): the request is checked, the response is filtered, and keep-alive comments start.
 *  3. Group check (admission/call-group).
 *  4. Candidates (candidates): the channels that serve the model and endpoint; the first one is chosen.
 *  5. Response cache (response-cache): its entry is looked up once the hold is placed; a hit skips the attempts.
 *  6. Hold (accounting/holds/call-meter): the upper bound of the cost is reserved.
 *  7. Attempts (attempt, with prepare): prepare the request, send it, retry on another channel before the first byte.
 *  8. Settlement (settle, accounting/holds): the actual cost replaces the hold, or the hold is released.
 *  9. Metrics (attempt/attempt-telemetry): outcome and charged tokens are counted.
 */
export function createCallPipeline({ redis, ...deps }: Deps): HandleCall {
  const { options, now } = deps;
  const cache = createResponseCache({ answers: createCachedResponses(redis), options, now });
  const handleCall = createCallHandler({ ...deps, cache });
  return withItemReferences(withContentPolicy(handleCall, options), createStoredItems(redis), options);
}
