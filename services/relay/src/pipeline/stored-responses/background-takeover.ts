import { createBackgroundLoop, type BackgroundLoop } from "@turnpike/shared/concurrency/background-loop";
import type { Logger } from "@turnpike/shared/log/log";
import type { Readmit } from "../../admission/readmission.ts";
import type { Admitted } from "../../core/call/caller.ts";
import type { Json } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { countTakeover } from "../../core/telemetry/relay-metrics.ts";
import { formatEvent } from "../../core/wire/stream.ts";
import type { OwnerLiveness } from "../idempotency/owner-liveness.ts";
import { type BackgroundResponses } from "./background-responses.ts";
import { toFailure } from "./background-run.ts";
import type { ResponsePlace } from "./response-keys.ts";
import { NO_RELAY, type ResponseOwners, type ResponseRun } from "./response-owners.ts";
import { storeEnd } from "./stored-end.ts";
import type { StoredContent, StoredResponses } from "./stored-responses.ts";

type Deps = {
  readonly background: BackgroundResponses;
  readonly responses: StoredResponses;
  readonly owners: ResponseOwners;
  readonly liveness: Pick<OwnerLiveness, "isRemoved">;
  readonly readmit: Readmit;
  /** Reports to billing that a call cost nothing, which replaces what the janitor posted for it. */
  readonly reportReleased: (call: { readonly requestId: string; readonly userId: number }) => void;
  readonly monotonicMs: () => number;
  readonly log: Logger;
};

const EVERY_MS = 2_000;
/** A relay must be missing for longer than it takes to write a heartbeat: a Redis that failed over may have lost the last one. */
const MISSING_MS = 4_000;
/** How many relays may die while they run one response: it may be the response that ends them. */
const DEATHS_MAX = 1;
/** Responses that one sweep takes over, so that all relays share those of a dead one. */
const TAKEN_MAX = 50;

const DIED = { code: "server_error", message: "the relays that ran the response stopped; create the response again" };
const toRequestId = ({ id }: ResponsePlace): string => id.slice("resp_".length);

/** A response that this relay has taken over. */
type Taken = {
  readonly place: ResponsePlace;
  readonly run: ResponseRun;
  readonly content: StoredContent;
  readonly firstNumber: number;
};

/**
 * Takes over the background responses of relays that died or gave them up (docs/decisions/074). A dead relay is one that billing's
 * janitor has removed: everything that it left open is posted then, and the run that follows, under the same request id, replaces that.
 */
export class BackgroundTakeover {
  readonly #deps: Deps;
  /** Since when relays are missing. */
  readonly #missing = new Map<string, number>();
  readonly loop: BackgroundLoop;

  constructor(deps: Deps) {
    this.#deps = deps;
    const run = (signal: AbortSignal): Promise<void> => this.#sweep(signal);
    this.loop = createBackgroundLoop({ task: "background takeover", run, everyMs: EVERY_MS, firstMs: EVERY_MS });
  }

  async #sweep(signal: AbortSignal): Promise<void> {
    const { owners, background } = this.#deps;
    const own = background.listPlaces();
    // Restores what a Redis that failed over has lost of the index.
    if (own.length > 0) await owners.list(own);
    const relays = await owners.listRelays();
    for (const relayId of this.#missing.keys()) if (!relays.includes(relayId)) this.#missing.delete(relayId);
    for (const relayId of relays) {
      if (relayId === owners.relayId && own.length === 0) await owners.forgetRelay(relayId);
      if (relayId === owners.relayId || !(await this.#isGone(relayId))) continue;
      await this.#takeOverAll(relayId, signal);
    }
  }

  async #isGone(relayId: string): Promise<boolean> {
    if (relayId === NO_RELAY) return true;
    const nowMs = this.#deps.monotonicMs();
    if (!(await this.#deps.liveness.isRemoved(relayId))) {
      this.#missing.delete(relayId);
      return false;
    }
    const sinceMs = this.#missing.get(relayId) ?? nowMs;
    this.#missing.set(relayId, sinceMs);
    return nowMs - sinceMs >= MISSING_MS;
  }

  async #takeOverAll(relayId: string, signal: AbortSignal): Promise<void> {
    const { owners, background } = this.#deps;
    const places = await owners.listResponses(relayId);
    for (const place of places.slice(0, TAKEN_MAX)) {
      if (signal.aborted || background.isFull()) return;
      await this.#takeOver(place, relayId);
    }
    if (places.length > 0) return;
    await owners.forgetRelay(relayId);
    // One that was added in between.
    const [added] = await owners.listResponses(relayId);
    if (added) await owners.list([added], relayId);
  }

  async #takeOver(place: ResponsePlace, from: string): Promise<void> {
    const { owners, background, log } = this.#deps;
    if (background.isRunning(place)) return owners.unlist(place, from);
    await owners.list([place]);
    const run = await owners.takeOver(place, from);
    await owners.unlist(place, from);
    if (!run) return owners.unlist(place);
    log.warn(
      { responseId: place.id, userId: place.userId, from, deaths: run.deaths },
      "background response taken over",
    );
    void this.#continue(place, run).catch(async (error: unknown) => {
      log.warn({ err: error, responseId: place.id }, "background response not run again, handed over");
      await owners.handOver(place, run.run).catch(() => undefined);
    });
  }

  /** Runs the response again, or ends it. Rejects if neither can be decided now. */
  async #continue(place: ResponsePlace, run: ResponseRun): Promise<void> {
    const { responses, background } = this.#deps;
    const content = await responses.read(place);
    if (!content) return this.#deps.owners.unlist(place);
    const events = (await responses.readEvents(place, 0)).flatMap((piece) => piece.events);
    const taken = { place, run, content, firstNumber: (events.at(-1)?.number ?? -1) + 1 };
    const { copy } = content;
    // What was generated before is due: the janitor has posted it.
    if (run.isCancelled) return this.#end(taken, { status: "cancelled" });
    if (!copy || run.deaths > DEATHS_MAX) return this.#fail(taken, DIED);
    let admitted: Admitted;
    try {
      admitted = await this.#deps.readmit({ userId: place.userId, ...copy });
    } catch (error) {
      if (!(error instanceof RelayError)) throw error;
      return this.#fail(taken, toFailure(error));
    }
    countTakeover("run");
    const wasCharged = await background.resume(taken, { ...content, copy }, admitted);
    if (!wasCharged) this.#release(taken);
  }

  async #fail(taken: Taken, error: Json): Promise<void> {
    await this.#end(taken, { status: "failed", completed_at: null, error });
    this.#release(taken);
  }

  /** A response that failed costs nothing, whatever the janitor posted for its earlier runs. */
  #release({ place, run }: Taken): void {
    if (run.deaths > 0) this.#deps.reportReleased({ requestId: toRequestId(place), userId: place.userId });
  }

  async #end({ place, run, content, firstNumber: number }: Taken, changes: Json): Promise<void> {
    const { responses, owners } = this.#deps;
    const response = { ...content.response, ...changes };
    const isFailed = response["status"] === "failed";
    countTakeover(isFailed ? "failed" : "cancelled");
    const event = { type: "response.failed", sequence_number: number, response };
    const text = formatEvent({ event: event.type, data: JSON.stringify(event) });
    const last = { events: isFailed ? [{ number, text }] : [], isEnd: true };
    await responses.append(place, last, run.pieces, run.run);
    await storeEnd(responses, place, { response, input: content.input }, run.run);
    await owners.unlist(place);
  }
}
