import { setTimeout as delay } from "node:timers/promises";
import { BACKGROUND_HEADER } from "../../core/call/charge-headers.ts";
import { type Exchange, type HandleCall, sendJson } from "../../core/call/exchange.ts";
import type { Admitted } from "../../core/call/caller.ts";
import { getResponseContext } from "../../core/call/relay-call.ts";
import type { Json } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { inFlight } from "../../core/telemetry/relay-metrics.ts";
import { retry } from "@turnpike/shared/concurrency/retry";
import { runningResponse } from "../../dialects/openai-responses/responses-wire.ts";
import { playTo } from "../idempotency/playback.ts";
import { Recording } from "../idempotency/recording.ts";
import { type ContinuedCall } from "./continued-calls.ts";
import { copyCall, restoreCall } from "./call-copy.ts";
import type { CallCopy } from "./call-copy-fields.ts";
import { OwnConversations } from "./own-conversations.ts";
import type { ResponsePlace } from "./response-keys.ts";
import type { ResponseOwners, ResponseRun } from "./response-owners.ts";
import { ResponseRecorder } from "./response-recorder.ts";
import type { StoredContent, StoredResponses } from "./stored-responses.ts";
import { createCancellableExchange, type Run, type Started, toFailure, toStreamed } from "./background-run.ts";

/** Background responses that one relay runs at a time. */
const RUNNING_MAX = 1_000;
/** How often a relay tries to give a response up. */
const HAND_OVER_ATTEMPTS = 3;
const HAND_OVER_BACKOFF = { firstMs: 100, maxMs: 500 };
/** How long a call waits for an early refusal, such as a spent balance, before its response is sent. */
const EARLY_MS = 1_000;

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

const FIRST_RUN: ResponseRun = { run: 0, deaths: 0, pieces: 0, isCancelled: false };
const toKey = ({ userId, id }: ResponsePlace): string => `${userId} ${id}`;

/**
 * Runs responses that continue without their client (`background: true`), on any provider: as a stream of this relay,
 * with the hold and charge of every other call. What becomes of them is stored, and what another relay needs to run them
 * again (background-takeover.ts).
 */
export class BackgroundResponses {
  readonly #serve: HandleCall;
  readonly #responses: StoredResponses;
  readonly #owners: ResponseOwners;
  /** By place; undefined while a response is about to run. */
  readonly #runs = new Map<string, { readonly place: ResponsePlace; run?: Run }>();

  constructor(serve: HandleCall, responses: StoredResponses, owners: ResponseOwners) {
    this.#serve = serve;
    this.#responses = responses;
    this.#owners = owners;
  }

  /** The responses that this relay runs. */
  listPlaces(): ResponsePlace[] {
    return [...this.#runs.values()].map(({ place }) => place);
  }

  isRunning(place: ResponsePlace): boolean {
    return this.#runs.has(toKey(place));
  }

  isFull(): boolean {
    return this.#runs.size >= RUNNING_MAX;
  }

  /** Gives up what runs, for other relays to take over at once. */
  handOver(): void {
    for (const { run } of this.#runs.values()) run?.abandon("handed over");
  }

  /** Starts the response and replies to its client. Throws what is refused before the response begins. */
  async start(continued: ContinuedCall, client: Exchange, getInput: () => readonly Json[]): Promise<void> {
    const { call, previous, conversation, earlier } = continued;
    if (this.isFull())
      throw new RelayError("service_unavailable", "too many background responses are running", {
        retryAfterSeconds: 5,
      });
    const place = { userId: call.admitted.caller.known.token.userId, id: `resp_${call.requestId}` };
    const facts = { id: place.id, status: "queued", background: true, store: true };
    const queued: Json = {
      ...runningResponse(getResponseContext(call)),
      ...facts,
      previous_response_id: previous ?? null,
      ...(conversation ? { conversation: { id: conversation.id } } : {}),
    };
    const [streamed, input] = [toStreamed(call), getInput()];
    const parts = { previous, conversationId: conversation?.id, earlierCount: earlier.length };
    this.#runs.set(toKey(place), { place });
    await this.#keep(place, { response: queued, input, copy: copyCall(streamed, input, parts) }).catch((error) => {
      this.#runs.delete(toKey(place));
      throw error;
    });
    const started = { call: streamed, previous, place, queued, getInput, run: FIRST_RUN, firstNumber: 0 };
    const run = this.#prepare({ ...started, ...(conversation ? { conversation } : {}) });
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

  /** Runs a response again that another relay ran before; returns whether it was charged here. */
  async resume(
    { place, run, firstNumber }: Pick<Started, "place" | "run" | "firstNumber">,
    { response: queued, input, copy }: StoredContent & { readonly copy: CallCopy },
    admitted: Admitted,
  ): Promise<boolean> {
    const { previous, conversationId, earlierCount } = copy;
    const { userId } = place;
    const own = input.slice(earlierCount);
    const conversations = new OwnConversations(this.#responses);
    const conversation = conversationId && {
      id: conversationId,
      add: (output: readonly Json[]) => conversations.addItems({ userId, id: conversationId }, [...own, ...output]),
    };
    const started = { call: restoreCall(copy, input, admitted), previous, place, queued, getInput: () => input };
    const prepared = this.#prepare({ ...started, run, firstNumber, ...(conversation ? { conversation } : {}) });
    await this.#run(prepared);
    return prepared.wasCharged || prepared.abandoned !== undefined;
  }

  async #keep(place: ResponsePlace, content: StoredContent): Promise<void> {
    const put = async (): Promise<boolean> => {
      // Before the response itself: what is not in the index is not taken over.
      await this.#owners.list([place]);
      return this.#responses.put(place, content, { isRunning: true, isUpdate: false });
    };
    const isStored = await put().catch((cause: unknown) => {
      const why = "background responses cannot be stored right now";
      throw new RelayError("service_unavailable", why, { retryAfterSeconds: 1, cause });
    });
    if (isStored) return;
    const why = "background: the response cannot be stored: the conversation is too large, or the storage is full";
    throw new RelayError("service_unavailable", why, { param: "background", retryAfterSeconds: 60 });
  }

  #prepare({ call, place, queued, getInput, run, firstNumber, ...others }: Started): Run {
    const recording = new Recording("", call.requestId);
    const { exchange, cancel } = createCancellableExchange(recording);
    const onCancelled = (): void => {
      // At once: upstream may be read to its end for the usage.
      recorder.settle({ ...queued, ...recorder.last, status: "cancelled" });
      cancel();
    };
    const abandon: Run["abandon"] = (why) => {
      if (prepared.abandoned || !recorder.abandon()) return;
      prepared.abandoned = why;
      cancel();
    };
    const isOwner = (): Promise<boolean> => this.#owners.isOwner(place, run.run);
    const mayCharge = async (): Promise<boolean> => {
      if (prepared.abandoned) return false;
      prepared.wasCharged = true;
      prepared.wasCharged = await isOwner();
      if (!prepared.wasCharged) abandon("taken");
      return prepared.wasCharged;
    };
    const { pieces } = run;
    const events = { onCancelled, onTakenOver: () => abandon("taken"), run: run.run, pieces, firstNumber, isOwner };
    const recorded = { userId: place.userId, getInput, background: { id: place.id, ...events }, ...others };
    const recorder = new ResponseRecorder(this.#responses, recorded);
    const parts = { place, run: run.run, call: { ...call, mayCharge }, queued, recording, recorder, exchange, abandon };
    const prepared: Run = { ...parts, abandoned: undefined, wasCharged: false };
    return prepared;
  }

  /** Never rejects. */
  async #run(run: Run): Promise<void> {
    const { place, recording, recorder, exchange } = run;
    this.#runs.set(toKey(place), { place, run });
    // A relay that stops waits for it.
    inFlight.calls++;
    let failure: Json | undefined;
    try {
      await this.#serve(recorder.record(run.call), exchange);
    } catch (error) {
      failure = toFailure(error);
      if (exchange.response.headersSent) exchange.response.destroy();
      else recording.fail(error);
    }
    const error = failure ?? recorder.failure ?? { code: "server_error", message: "the response was cut off" };
    // Without effect on a response that has ended, or was abandoned.
    recorder.settle({ ...run.queued, ...recorder.last, completed_at: null, status: "failed", error });
    if (!recording.failure) recording.publishEnd();
    await recorder.close();
    await this.#leave(run);
    this.#runs.delete(toKey(place));
    inFlight.calls--;
  }

  /** Gives the response up, or removes it from the index. Never rejects: while Redis is down, the index stays as it is. */
  async #leave({ place, run, abandoned }: Run): Promise<void> {
    const leave = (): Promise<void> =>
      abandoned === "handed over" ? this.#owners.handOver(place, run) : this.#owners.unlist(place);
    await retry(leave, { backoff: HAND_OVER_BACKOFF, attemptsMax: HAND_OVER_ATTEMPTS }).catch(() => undefined);
  }
}
