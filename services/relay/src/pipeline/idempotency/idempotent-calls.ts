import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { retry } from "@turnpike/shared/concurrency/retry";
import type { Logger } from "@turnpike/shared/log/log";
import { CHARGE_HEADER } from "../../core/call/charge-headers.ts";
import type { Exchange, HandleCall } from "../../core/call/exchange.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import { createDetachedExchange } from "./detached-exchange.ts";
import { copyResponse } from "./followed-response.ts";
import { full, lost, RUN_AGAIN, refuseUnavailable, reused, unknownFate, unstored } from "./idempotency-refusals.ts";
import type { Claim, StoredCallResponses, KeyId, KnownCall } from "./stored-call-responses.ts";
import type { IdempotencyTimes } from "./idempotency-times.ts";
import type { OwnerLiveness } from "./owner-liveness.ts";
import { playTo } from "./playback.ts";
import { Recording } from "./recording.ts";
import { type Run, StoredCopy } from "./stored-copy.ts";

type Deps = {
  readonly responses: StoredCallResponses;
  readonly owners: OwnerLiveness;
  readonly relayId: string;
  readonly times: IdempotencyTimes;
  readonly log: Logger;
};

/** How often a running stream is stored. */
const STEP_MS = 100;
const END_BACKOFF = { firstMs: 500, maxMs: 1_000 };
/** Calls without a stored response that Redis does not know of. */
const UNSTORED_MAX = 10_000;

/** A request that may run once only. */
export type KeyedCall = {
  readonly key: string;
  readonly userId: number;
  readonly requestId: string;
  /** Everything that two requests of one key have in common. */
  readonly fingerprint: string;
  /** Whether it may run again, under its first request id, after the relay that ran it died. */
  readonly canRunAgain: boolean;
  /** Runs it under the request id of the exchange; rejects with RelayError while nothing was sent. */
  readonly serve: (exchange: Exchange) => Promise<void>;
};

/** Clients write each form under another boundary, so its parts count, not its text. */
function getFingerprint({ dialect, model, stream, receivedText = "", form }: RelayCall): string {
  const hash = createHash("sha256").update(JSON.stringify([dialect.name, model, stream]));
  for (const { name, filename, content } of form?.parts ?? [])
    hash.update(JSON.stringify([name, filename, content.length])).update(content);
  return hash.update(receivedText).digest("base64url");
}

const getId = ({ key, userId }: KeyedCall): KeyId => ({
  userId,
  hash: createHash("sha256").update(key).digest("base64url"),
});

const toMapKey = ({ userId, hash }: KeyId): string => `${userId}:${hash}`;

/**
 * Runs calls with an idempotency key once (docs/decisions/055): a repeat joins the running call, on this relay or
 * another one, and gets the stored response for 24 hours afterwards. The call does not end with its client. Calls that
 * fail without a charge are forgotten; the error of one that was charged is stored like a response.
 */
export class IdempotentCalls {
  readonly #deps: Deps;
  /** The calls that this relay runs or follows. */
  readonly #recordings = new Map<string, Recording>();
  /** Request ids of charged calls that Redis still takes for running: nothing could be stored. */
  readonly #unstored = new Set<string>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async handle(call: KeyedCall, exchange: Exchange): Promise<void> {
    const { fingerprint } = call;
    const id = getId(call);
    for (;;) {
      const recording = this.#recordings.get(toMapKey(id)) ?? (await this.#claim(call, exchange, id));
      if (recording === undefined) return;
      if (recording.fingerprint !== fingerprint) throw reused();
      try {
        return await playTo(exchange, recording, true);
      } catch (error) {
        if (error !== RUN_AGAIN) throw error;
      }
    }
  }

  /** Runs the call if the key is new, else returns the recording of the first call. */
  async #claim(call: KeyedCall, exchange: Exchange, id: KeyId): Promise<Recording | undefined> {
    const { responses, relayId } = this.#deps;
    const { fingerprint, requestId } = call;
    const claim: Claim = await responses.claim(id, fingerprint, requestId).catch(refuseUnavailable);
    if (claim.outcome === "full") throw full();
    if (claim.outcome === "claimed")
      return this.#run(call, exchange, {
        id,
        recording: new Recording(fingerprint, requestId),
        wasTakenOver: false,
      });
    // Another call with this key may have come first during the request to Redis.
    const own = this.#recordings.get(toMapKey(id));
    if (own) return own;
    if (claim.fingerprint !== fingerprint) throw reused();
    if (claim.state === "unstored") throw unstored();
    if (claim.state === "running" && claim.relayId === relayId) return this.#resume(call, exchange, id, claim);
    const isLeft = claim.state === "running" && (await this.#isLeft(claim));
    const following = this.#recordings.get(toMapKey(id));
    if (following) return following;
    const recording = new Recording(fingerprint, claim.requestId);
    if (!isLeft) return this.#follow(id, recording);
    if (!call.canRunAgain) throw lost();
    if (!(await responses.takeOver(id, claim.relayId).catch(refuseUnavailable))) throw unknownFate();
    // The same request id: whatever was posted for the first run is replaced, so that one charge is left.
    return this.#run(call, exchange, { id, recording, wasTakenOver: true });
  }

  /** Whether the relay of a running call no longer runs. */
  #isLeft({ relayId }: KnownCall): Promise<boolean> {
    return this.#deps.owners.isRemoved(relayId).catch(refuseUnavailable);
  }

  /** A call that Redis takes for running on this relay, which does not run it. */
  async #resume(call: KeyedCall, exchange: Exchange, id: KeyId, claim: KnownCall): Promise<undefined> {
    if (this.#unstored.has(claim.requestId)) {
      await this.#deps.responses.drop(id).catch(refuseUnavailable);
      this.#unstored.delete(claim.requestId);
      throw unstored();
    }
    // The reply to its claim was lost, so that it never ran; or its failure could not be stored.
    const recording = new Recording(claim.fingerprint, claim.requestId);
    return this.#run(call, exchange, { id, recording, wasTakenOver: true });
  }

  async #run(call: KeyedCall, exchange: Exchange, run: Run): Promise<undefined> {
    const { id, recording } = run;
    this.#recordings.set(toMapKey(id), recording);
    const detached = createDetachedExchange(recording);
    const served = call.serve(detached).catch((error: unknown) => {
      if (detached.response.headersSent) return void detached.response.destroy();
      for (const [name, value] of Object.entries(detached.response.getHeaders()))
        if (value !== undefined && !exchange.response.headersSent) exchange.response.setHeader(name, value);
      // A failure that was charged is the response of the call: a repeat gets it, and is not charged again.
      if (detached.response.hasHeader(CHARGE_HEADER)) exchange.sendError?.(detached, error);
      recording.fail(error);
    });
    const stored = this.#store(run);
    const played = playTo(exchange, recording, false);
    // A failure is reported once the key is free again: a repeat that follows it runs.
    await Promise.allSettled([served, stored, played]);
    await played;
    return undefined;
  }

  /**
   * Stores the response while it is produced, and lets its clients see the end once it is stored. If Redis does not take the
   * end in time, they see it all the same, and it is stored later.
   */
  async #store(run: Run): Promise<void> {
    const { recording } = run;
    const copy = new StoredCopy(this.#deps, run);
    const over = untilWritten(recording);
    while (!isWritten(recording)) {
      await Promise.race([over, delay(STEP_MS)]);
      if (!isWritten(recording)) await copy.append();
    }
    const waiting = new AbortController();
    const ended = this.#end(run, copy).finally(() => waiting.abort());
    const late = delay(this.#deps.times.endWaitMs, undefined, { signal: waiting.signal }).catch(() => undefined);
    await Promise.race([ended, late]);
    if (recording.written) recording.publishEnd();
  }

  /** Stores the end, with tries; repeats on this relay get the response meanwhile. Never rejects. */
  async #end({ id, recording }: Run, copy: StoredCopy): Promise<void> {
    const { requestId } = recording;
    try {
      await retry(() => copy.end(), { backoff: END_BACKOFF, attemptsMax: this.#deps.times.endAttempts });
    } catch (error) {
      this.#deps.log.warn({ err: error, requestId }, "response of an idempotency key not stored");
      if (copy.isDue()) await this.#drop(copy, requestId);
    } finally {
      this.#recordings.delete(toMapKey(id));
    }
  }

  async #drop(copy: StoredCopy, requestId: string): Promise<void> {
    await copy.drop().catch(() => {
      const [oldest] = this.#unstored.size >= UNSTORED_MAX ? this.#unstored : [];
      if (oldest !== undefined) this.#unstored.delete(oldest);
      this.#unstored.add(requestId);
    });
  }

  /** Reads a response from Redis, while another relay produces it or afterwards. */
  #follow(id: KeyId, recording: Recording): Recording {
    this.#recordings.set(toMapKey(id), recording);
    void copyResponse(this.#deps, id, recording).then((error) => {
      this.#recordings.delete(toMapKey(id));
      if (error) stop(recording, error);
      else recording.publishEnd();
    });
    return recording;
  }
}

/** Ends a copy that cannot be completed: clients that have read part of it are cut off. */
function stop(recording: Recording, error: Error): void {
  if (recording.visible === 0 && recording.pieces.length === 0) return recording.fail(error);
  recording.end({ isWhole: false, trailers: {} });
  recording.publishEnd();
}

const isWritten = ({ written, failure }: Recording): boolean => written !== undefined || failure !== undefined;

async function untilWritten(recording: Recording): Promise<void> {
  while (!isWritten(recording)) await recording.changed();
}

const toKeyedCall = (call: RelayCall, key: string, serve: HandleCall): KeyedCall => ({
  key,
  userId: call.admitted.caller.known.token.userId,
  requestId: call.requestId,
  fingerprint: getFingerprint(call),
  canRunAgain: true,
  serve: (exchange) => serve({ ...call, requestId: exchange.requestId }, exchange),
});

/** Serves calls with an idempotency key once; all others pass through. */
export const withIdempotency =
  (serve: HandleCall, calls: IdempotentCalls): HandleCall =>
  (call, exchange) =>
    call.idempotencyKey === undefined
      ? serve(call, exchange)
      : calls.handle(toKeyedCall(call, call.idempotencyKey, serve), exchange);
