import { setTimeout as delay } from "node:timers/promises";
import { withBody } from "../../core/call/call-body.ts";
import { BACKGROUND_HEADER } from "../../core/call/charge-headers.ts";
import { DisconnectListeners, type Exchange, type HandleCall, sendJson } from "../../core/call/exchange.ts";
import { getResponseContext, type RelayCall } from "../../core/call/relay-call.ts";
import type { Json } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { inFlight } from "../../core/telemetry/relay-metrics.ts";
import { runningResponse } from "../../dialects/openai-responses/responses-wire.ts";
import { createDetachedExchange } from "../idempotency/detached-exchange.ts";
import { playTo } from "../idempotency/playback.ts";
import { Recording } from "../idempotency/recording.ts";
import { patchTopLevel, removeTopLevel } from "../../core/call/body-patch.ts";
import { type ContinuedCall, withEstimate } from "./continued-calls.ts";
import { ResponseRecorder } from "./response-recorder.ts";
import type { ResponsePlace, StoredContent, StoredResponses } from "./stored-responses.ts";

/** Background responses that one relay runs at a time. */
const RUNNING_MAX = 1_000;
/** How long a call waits for an early refusal, such as a spent balance, before its response is sent. */
const EARLY_MS = 1_000;

/** The call as a stream: nothing is lost when it takes long, and a cancelled one is charged for what was generated. */
function toStreamed(call: RelayCall): RelayCall {
  const { background: _background, ...others } = call.body;
  const text = patchTopLevel(removeTopLevel(call.bodyText, ["background"]), { stream: true });
  return withEstimate(withBody({ ...call, stream: true }, { ...others, stream: true }, text));
}

/** An exchange that ends when the response is cancelled, not when its client disconnects. */
function createCancellableExchange(recording: Recording): { exchange: Exchange; cancel: () => void } {
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

const toFailure = (error: unknown): Json => ({
  code: error instanceof RelayError ? error.code : "server_error",
  message: error instanceof RelayError ? error.message : "an internal error occurred",
});

async function reply(client: Exchange, { recording, queued }: Run, isStream: boolean): Promise<void> {
  if (isStream) return playTo(client, recording, false);
  await Promise.race([untilBegun(recording), delay(EARLY_MS, undefined, { ref: false })]);
  if (recording.failure) throw recording.failure.error;
  sendJson(client, 200, JSON.stringify(queued), { [BACKGROUND_HEADER]: "true" });
}

/** Resolves at the first byte of a recorded response, or when it failed. */
async function untilBegun(recording: Recording): Promise<void> {
  while (!recording.head && !recording.isOver()) await recording.changed();
}

/** A background response while it runs. */
type Run = {
  readonly call: RelayCall;
  readonly queued: Json;
  readonly recording: Recording;
  readonly recorder: ResponseRecorder;
  readonly exchange: Exchange;
};

/**
 * Runs responses that continue without their client (`background: true`), on any provider: as a stream of this relay,
 * with the hold and charge of every other call. What becomes of them is stored; without the relay's heartbeat a running
 * one is reported as failed, and billing's janitor settles its hold.
 */
export class BackgroundResponses {
  readonly #serve: HandleCall;
  readonly #responses: StoredResponses;
  #running = 0;

  constructor(serve: HandleCall, responses: StoredResponses) {
    this.#serve = serve;
    this.#responses = responses;
  }

  /** Starts the response and replies to its client. Throws what is refused before the response begins. */
  async start(continued: ContinuedCall, client: Exchange, getInput: () => readonly Json[]): Promise<void> {
    const { call, previous, conversation } = continued;
    if (this.#running >= RUNNING_MAX)
      throw new RelayError("service_unavailable", "too many background responses are running", {
        retryAfterSeconds: 5,
      });
    const place = { userId: call.admitted.caller.known.token.userId, id: `resp_${call.requestId}` };
    const facts = { id: place.id, status: "queued", background: true, store: true };
    const context = getResponseContext(call);
    const queued: Json = {
      ...runningResponse(context),
      ...facts,
      previous_response_id: previous ?? null,
      ...(conversation ? { conversation: { id: conversation.id } } : {}),
    };
    await this.#keep(place, { response: queued, input: getInput() });
    const run = this.#prepare(continued, place, queued, getInput);
    const done = this.#run(run);
    try {
      await reply(client, run, call.stream);
    } catch (error) {
      // Its client knows of the refusal, and not of the response.
      await done;
      await this.#responses.remove(place).catch(() => undefined);
      throw error;
    }
  }

  async #keep(place: ResponsePlace, content: StoredContent): Promise<void> {
    const put = this.#responses.put(place, content, { isRunning: true, isUpdate: false });
    const isStored = await put.catch((cause: unknown) => {
      const why = "background responses cannot be stored right now";
      throw new RelayError("service_unavailable", why, { retryAfterSeconds: 1, cause });
    });
    if (isStored) return;
    const why = "background: the response cannot be stored: the conversation is too large, or the storage is full";
    throw new RelayError("service_unavailable", why, { param: "background", retryAfterSeconds: 60 });
  }

  #prepare(
    { call, previous, conversation }: ContinuedCall,
    { userId, id }: ResponsePlace,
    queued: Json,
    getInput: () => readonly Json[],
  ): Run {
    const recording = new Recording("", call.requestId);
    const { exchange, cancel } = createCancellableExchange(recording);
    const onCancelled = (): void => {
      // At once: upstream may be read to its end for the usage.
      recorder.settle({ ...queued, ...recorder.last, status: "cancelled" });
      cancel();
    };
    const background = { id, onCancelled };
    const recorded = { userId, getInput, previous, background, ...(conversation ? { conversation } : {}) };
    const recorder = new ResponseRecorder(this.#responses, recorded);
    return { call: toStreamed(call), queued, recording, recorder, exchange };
  }

  /** Never rejects. */
  async #run({ call, queued, recording, recorder, exchange }: Run): Promise<void> {
    this.#running++;
    // A relay that stops waits for it.
    inFlight.calls++;
    let failure: Json | undefined;
    try {
      await this.#serve(recorder.record(call), exchange);
    } catch (error) {
      failure = toFailure(error);
      if (exchange.response.headersSent) exchange.response.destroy();
      else recording.fail(error);
    }
    const error = failure ?? recorder.failure ?? { code: "server_error", message: "the response was cut off" };
    recorder.settle({ ...queued, ...recorder.last, completed_at: null, status: "failed", error });
    if (!recording.failure) recording.publishEnd();
    await recorder.close();
    this.#running--;
    inFlight.calls--;
  }
}
