import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { RelayCall } from "../../core/call/relay-call.ts";
import type { HandleCall } from "../../core/call/exchange.ts";
import { getReferencedCallIds, inlineItems } from "./inline-items.ts";
import type { StoredItems } from "./stored-items.ts";

/**
 * Serves responses calls whose input refers to earlier responses of this gateway, and stores response items for later
 * references.
 */
export function withItemReferences(serve: HandleCall, items: StoredItems, options: () => OptionsInForce): HandleCall {
  const getUserId = (call: RelayCall): number => call.admitted.caller.known.token.userId;
  const keeping = (call: RelayCall, seconds: number): RelayCall => {
    if (call.body["store"] === false) return call;
    const place = { userId: getUserId(call), requestId: call.requestId, seconds };
    return { ...call, storeOutput: (output) => items.keep(place, output) };
  };
  return (call, exchange) => {
    if (!call.dialect.refersToItems) return serve(call, exchange);
    const seconds = options().number("ResponseItemsSeconds");
    if (seconds === 0) return serve(call, exchange);
    const calls = getReferencedCallIds(call.body);
    const kept = keeping(call, seconds);
    if (calls.length === 0) return serve(kept, exchange);
    return items.find(getUserId(call), calls).then((found) => serve(inlineItems(kept, found), exchange));
  };
}
