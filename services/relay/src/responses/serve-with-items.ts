import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { ChatCall } from "../calls/chat-call.ts";
import type { ServeChat } from "../calls/serve-chat.ts";
import { callsReferredTo, inlineItems } from "./inline-items.ts";
import type { KeptItems } from "./kept-items.ts";

/** Serves responses whose input refers to earlier answers of this gateway, and keeps what is answered for those that will. */
export function withKeptItems(serve: ServeChat, items: KeptItems, options: () => OptionsInForce): ServeChat {
  const userOf = (call: ChatCall): number => call.admitted.caller.known.token.userId;
  const keeping = (call: ChatCall, seconds: number): ChatCall => {
    if (call.body["store"] === false) return call;
    const place = { userId: userOf(call), requestId: call.requestId, seconds };
    return { ...call, keepOutput: (output) => items.keep(place, output) };
  };
  return (call, exchange) => {
    if (call.dialect.name !== "openai-responses") return serve(call, exchange);
    const seconds = options().number("ResponseItemsSeconds");
    if (seconds === 0) return serve(call, exchange);
    const calls = callsReferredTo(call.body);
    const kept = keeping(call, seconds);
    if (calls.length === 0) return serve(kept, exchange);
    return items.find(userOf(call), calls).then((found) => serve(inlineItems(kept, found), exchange));
  };
}
