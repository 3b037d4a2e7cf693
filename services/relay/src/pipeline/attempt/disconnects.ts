import type { Choice } from "../../core/call/channel.ts";
import type { Exchange } from "../../core/call/exchange.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { OnCancel } from "../../upstream/upstream-client.ts";

const clientDisconnected = (): RelayError =>
  new RelayError("stream_interrupted", "the client disconnected before the response was complete");

/** Cancels the operation when the client disconnects, unless the channel is set to drain. */
export const cancelOnDisconnect =
  (choice: Choice, exchange: Exchange): OnCancel =>
  (cancel) => {
    if (!choice.channel.drainOnDisconnect) exchange.onDisconnect(() => cancel(clientDisconnected()));
  };
