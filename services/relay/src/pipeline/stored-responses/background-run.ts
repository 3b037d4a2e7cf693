import { withBody } from "../../core/call/call-body.ts";
import { DisconnectListeners, type Exchange } from "../../core/call/exchange.ts";
import { type RelayCall } from "../../core/call/relay-call.ts";
import type { Json } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { createDetachedExchange } from "../idempotency/detached-exchange.ts";
import type { Recording } from "../idempotency/recording.ts";
import { patchTopLevel, removeTopLevel } from "../../core/call/body-patch.ts";
import { type ContinuedCall, withEstimate } from "./continued-calls.ts";
import type { ResponsePlace } from "./response-keys.ts";
import type { ResponseRun } from "./response-owners.ts";
import type { ResponseRecorder } from "./response-recorder.ts";

/** The call as a stream: nothing is lost when it takes long, and a cancelled one is charged for what was generated. */
export function toStreamed(call: RelayCall): RelayCall {
  const { background: _background, ...others } = call.body;
  const text = patchTopLevel(removeTopLevel(call.bodyText, ["background"]), { stream: true });
  return withEstimate(withBody({ ...call, stream: true }, { ...others, stream: true }, text));
}

/** An exchange that ends when the response is cancelled, not when its client disconnects. */
export function createCancellableExchange(recording: Recording): { exchange: Exchange; cancel: () => void } {
  const listeners = new DisconnectListeners();
  let isCancelled = false;
  const exchange = {
    ...createDetachedExchange(recording),
    isDisconnected: () => isCancelled,
    onDisconnect(run: () => void): () => void {
      if (!isCancelled) return listeners.add(run);
      run();
      return () => undefined;
    },
  };
  const cancel = (): void => {
    if (isCancelled) return;
    isCancelled = true;
    listeners.run();
  };
  return { exchange, cancel };
}

export const toFailure = (error: unknown): Json => ({
  code: error instanceof RelayError ? error.code : "server_error",
  message: error instanceof RelayError ? error.message : "an internal error occurred",
});

/** A call that runs, in the first run of its response or in a later one. */
export type Started = Pick<ContinuedCall, "call" | "previous" | "conversation"> & {
  readonly place: ResponsePlace;
  readonly queued: Json;
  readonly getInput: () => readonly Json[];
  readonly run: ResponseRun;
  /** The number of its first event. */
  readonly firstNumber: number;
};

/** A background response while it runs. */
export type Run = {
  readonly place: ResponsePlace;
  readonly run: number;
  readonly call: RelayCall;
  readonly queued: Json;
  readonly recording: Recording;
  readonly recorder: ResponseRecorder;
  readonly exchange: Exchange;
  /** Ends the run without a charge, since another relay runs the response (`taken`), or is about to (`handed over`). */
  readonly abandon: (why: "taken" | "handed over") => void;
  abandoned: "taken" | "handed over" | undefined;
  wasCharged: boolean;
};
