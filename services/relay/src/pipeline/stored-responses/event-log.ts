import { setTimeout as delay } from "node:timers/promises";
import type { ResponsePlace } from "./response-keys.ts";
import type { EventPiece, StoredEvent, StoredResponses } from "./stored-responses.ts";

/** How often the events of a running stream are stored. */
const STEP_MS = 500;
const END_ATTEMPTS = 5;
/** The characters of one piece; a stream that is stored more slowly than it comes is not stored. */
const PENDING_MAX = 8 * 1024 * 1024;

/** The run of a background response whose events are stored. */
export type LoggedRun = {
  readonly run: number;
  /** Pieces that the runs before have stored. */
  readonly pieces: number;
  readonly onCancelled: () => void;
  /** Another relay runs the response now. */
  readonly onTakenOver: () => void;
};

/** Stores the events of one stream while they are sent. */
export class EventLog {
  readonly #responses: StoredResponses;
  readonly #logged: LoggedRun | undefined;
  #place: ResponsePlace | undefined;
  #pending: StoredEvent[] = [];
  #pendingLength = 0;
  /** Not acknowledged: it is repeated as it was. */
  #waiting: Omit<EventPiece, "relayId"> | undefined;
  #stored: number;
  #isLost = false;
  #isOver = false;
  #isAbandoned = false;
  #loop: Promise<void> | undefined;
  #stop = new AbortController();

  constructor(responses: StoredResponses, logged?: LoggedRun) {
    this.#responses = responses;
    this.#logged = logged;
    this.#stored = logged?.pieces ?? 0;
  }

  /** Begins to store under the id of the response, which its first event names. */
  begin(place: ResponsePlace): void {
    if (this.#place) return;
    this.#place = place;
    this.#loop = this.#run(place);
  }

  add(event: StoredEvent): void {
    if (this.#isLost || this.#isOver) return;
    this.#pending.push(event);
    this.#pendingLength += event.text.length;
    if (this.#pendingLength > PENDING_MAX) this.#lose();
  }

  /** Forgets the events of an attempt that failed before the client saw them. */
  restart(): void {
    if (this.#stored > (this.#logged?.pieces ?? 0) || this.#waiting) return this.#lose();
    this.#pending = [];
    this.#pendingLength = 0;
  }

  /** Stores nothing more, not even the end: another relay goes on. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#lose();
  }

  /** Stores the rest. Never rejects. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#stop.abort();
    await this.#loop;
    const place = this.#place;
    for (let attempt = 0; place && !this.#isLost && attempt < END_ATTEMPTS; attempt++) {
      // What waits is stored first, then the end.
      const isEnd = this.#waiting === undefined;
      const isStored = await this.#store(place, isEnd).then(
        () => true,
        () => false,
      );
      if (isStored && isEnd) return;
      if (!isStored) await delay(STEP_MS);
    }
  }

  async #run(place: ResponsePlace): Promise<void> {
    while (!this.#isOver) {
      await delay(STEP_MS, undefined, { signal: this.#stop.signal, ref: false }).catch(() => undefined);
      if (!this.#isOver) await this.#store(place, false).catch(() => undefined);
    }
  }

  async #store(place: ResponsePlace, isEnd: boolean): Promise<void> {
    const events = this.#pending;
    if (!this.#waiting) {
      this.#waiting = { events: this.#isLost ? [] : events, isEnd };
      this.#pending = [];
      this.#pendingLength = 0;
    }
    const piece = this.#waiting;
    const isEmpty = piece.events.length === 0 && !piece.isEnd;
    if (this.#isAbandoned || (isEmpty && !this.#logged)) {
      this.#waiting = undefined;
      return;
    }
    const { isStored, isCancelled, isTakenOver } = await this.#responses.append(
      place,
      piece,
      this.#stored,
      this.#logged?.run,
    );
    this.#waiting = undefined;
    if (isTakenOver) this.#logged?.onTakenOver();
    if (!isStored) this.#lose();
    else if (!isEmpty) this.#stored++;
    if (isCancelled) this.#logged?.onCancelled();
  }

  #lose(): void {
    this.#isLost = true;
    this.#pending = [];
    this.#pendingLength = 0;
  }
}
