import { closeSync, fstatSync, ftruncate, ftruncateSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { toRecoveredRecord } from "@turnpike/shared/accounts/recovered-usage";
import {
  readWalEntries,
  toWalHead,
  toWalLine,
  WAL_FILES,
  type WalEntry,
} from "@turnpike/shared/accounts/write-ahead-log-format";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import type { Logger } from "@turnpike/shared/log/log";
import { TornWrite, writeFully } from "./write-fully.ts";

/** The file of an entry. Exactly one acknowledgement follows, once the data is stored elsewhere. */
export type AppendReceipt = { unconfirmed: number };

const ROTATE_BYTES = 256 * 1024;
const QUIET_MS = 1_000;
const CLOSED = -1;
/** The entries to be written at the end of this event-loop tick. */
type Turn = {
  lines: string;
  calls: number;
  readonly appended: Promise<AppendReceipt | undefined>;
  readonly resolve: (receipt: AppendReceipt | undefined) => void;
};

/** One of the two files. It is opened when it is first written: a disk that cannot be written must not stop the relay. */
class WalFile implements AppendReceipt {
  unconfirmed = 0;
  bytes = 0;
  isEmptying = false;
  readonly #path: string;
  #descriptor: number | undefined;
  /** The file ends with a part of an entry. */
  #isTorn = false;

  constructor(path: string) {
    this.#path = path;
  }

  append(text: string): void {
    this.#descriptor ??= openSync(this.#path, "a");
    const whole = this.#isTorn ? `\n${text}` : text;
    try {
      this.bytes += writeFully(this.#descriptor, this.bytes, whole);
      this.#isTorn = false;
    } catch (error) {
      if (error instanceof TornWrite) {
        this.bytes = fstatSync(this.#descriptor).size;
        this.#isTorn = true;
      }
      throw error;
    }
  }

  empty(): void {
    if (this.bytes === 0 || this.#descriptor === undefined) return;
    ftruncateSync(this.#descriptor, 0);
    this.bytes = 0;
    this.#isTorn = false;
  }

  /** Begins a new file if this one was deleted, with a folder that another relay took over. */
  reopenIfDeleted(): void {
    if (this.#descriptor === undefined || this.isEmptying || fstatSync(this.#descriptor).nlink > 0) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
    this.bytes = 0;
    this.#isTorn = false;
  }

  /**
   * Truncates a file that is no longer written, without waiting. On failure the next acknowledgement or the idle timer
   * retries.
   */
  emptyLater(): void {
    if (this.#descriptor === undefined || this.#descriptor === CLOSED) return;
    if (this.unconfirmed > 0 || this.bytes === 0 || this.isEmptying) return;
    this.isEmptying = true;
    ftruncate(this.#descriptor, 0, (error) => {
      this.isEmptying = false;
      if (error) return;
      this.bytes = 0;
      this.#isTorn = false;
    });
  }

  close(isDone: boolean): void {
    // A file being truncated is still in use; the end of the process closes it.
    if (!this.isEmptying && this.#descriptor !== undefined) closeSync(this.#descriptor);
    // The descriptor number may be reused by another file from now on.
    this.#descriptor = CLOSED;
    if (isDone) rmSync(this.#path, { force: true });
  }
}

/**
 * Appends the cost of calls to the local disk before their responses are sent, so that the round trip to Redis need not
 * be awaited. The entries survive the death of this process (not that of the machine), and the next relay that starts
 * with this folder posts them. A write goes to the page cache and contains all calls that end in one event-loop tick.
 * Two files rotate; one is truncated when all its entries are acknowledged, asynchronously, because some file systems
 * take milliseconds to release the space.
 */
export class WriteAheadLog {
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  #current: WalFile;
  #other: WalFile;
  #appendedAtMs = 0;
  /** Orders the generations of the files. */
  #filled = 0;
  #isFailing = false;
  #turn: Turn | undefined;

  constructor({ folder, log }: { folder: string; log: Logger }) {
    this.#log = log;
    this.#current = new WalFile(join(folder, WAL_FILES[0]));
    this.#other = new WalFile(join(folder, WAL_FILES[1]));
    this.#timer = setInterval(() => this.#tidy(), QUIET_MS).unref();
  }

  /** On return the entry is in the page cache and survives this process; undefined if the disk refuses. */
  append(call: WalEntry): AppendReceipt | undefined {
    // An older entry of the same call may still be in this tick's batch.
    this.#writeTurn();
    return this.#write(toWalLine(call), 1);
  }

  /** Appends with the batch of this event-loop tick; resolves once it was written. */
  appendBatched(call: WalEntry): Promise<AppendReceipt | undefined> {
    if (!this.#turn) {
      const { promise, resolve } = Promise.withResolvers<AppendReceipt | undefined>();
      this.#turn = { lines: "", calls: 0, appended: promise, resolve };
      setImmediate(this.#writeTurn);
    }
    this.#turn.lines += toWalLine(call);
    this.#turn.calls++;
    return this.#turn.appended;
  }

  acknowledge(receipt: AppendReceipt): void {
    receipt.unconfirmed--;
    if (receipt === this.#other) this.#other.emptyLater();
  }

  /** Keeps the files if an entry is not acknowledged. */
  close(): void {
    clearInterval(this.#timer);
    this.#writeTurn();
    const isDone = this.#isConfirmed();
    for (const file of [this.#current, this.#other]) file.close(isDone);
  }

  /** Bound, since the event loop calls it. */
  readonly #writeTurn = (): void => {
    if (!this.#turn) return;
    const { lines, calls, resolve } = this.#turn;
    this.#turn = undefined;
    resolve(this.#write(lines, calls));
  };

  #write(lines: string, calls: number): AppendReceipt | undefined {
    if (this.#current.bytes >= ROTATE_BYTES) this.#rotate();
    const current = this.#current;
    try {
      current.append(current.bytes === 0 ? `${toWalHead(this.#filled++)}${lines}` : lines);
      this.#isFailing = false;
    } catch (error) {
      this.#reportFailure(error);
      return undefined;
    }
    this.#appendedAtMs = Date.now();
    current.unconfirmed += calls;
    return current;
  }

  #rotate(): void {
    if (this.#other.bytes > 0) this.#other.emptyLater();
    else [this.#current, this.#other] = [this.#other, this.#current];
  }

  #isConfirmed(): boolean {
    return this.#current.unconfirmed === 0 && this.#other.unconfirmed === 0;
  }

  /** Tried again each second while the disk refuses. */
  #tidy(): void {
    try {
      for (const file of [this.#other, this.#current]) file.reopenIfDeleted();
      this.#emptyWhenQuiet();
    } catch (error) {
      this.#reportFailure(error);
    }
  }

  #reportFailure(error: unknown): void {
    if (!this.#isFailing) this.#log.error({ err: error }, "write-ahead log failed, settlements wait for Redis");
    this.#isFailing = true;
  }

  /** Truncates both together: otherwise an older entry of a call could outlive the newer one. */
  #emptyWhenQuiet(): void {
    if (!this.#isConfirmed() || this.#other.isEmptying || Date.now() - this.#appendedAtMs < QUIET_MS) return;
    for (const file of [this.#other, this.#current]) file.empty();
  }
}

/**
 * The usage records from a dead relay's write-ahead log in `folder`; the last entry of a call counts. Most of these
 * calls are posted already: billing drops those by their id.
 */
export const readWriteAheadLog = (folder: string, nowSeconds: number): UsageRecord[] =>
  readWalEntries(folder).flatMap(({ entry, ...call }) =>
    entry ? [toRecoveredRecord({ ...call, entry }, nowSeconds)] : [],
  );
