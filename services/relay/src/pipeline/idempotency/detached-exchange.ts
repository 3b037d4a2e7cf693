import { DetachedResponse } from "../../core/call/detached-response.ts";
import type { Exchange } from "../../core/call/exchange.ts";
import type { Recording } from "./recording.ts";

/** An exchange that outlives its client: a repeat of the call gets the response. */
export const createDetachedExchange = (recording: Recording): Exchange => ({
  requestId: recording.requestId,
  response: new DetachedResponse(recording),
  isDisconnected: () => false,
  onDisconnect: () => () => undefined,
});
