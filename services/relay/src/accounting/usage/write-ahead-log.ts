import { closeSync, existsSync, ftruncate, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type OpenEntry, openEntryText, parseOpenEntry } from "@turnpike/shared/accounts/account-keys";
import { toRecoveredRecord } from "@turnpike/shared/accounts/recovered-usage";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import type { Logger } from "@turnpike/shared/log/log";

/** An entry of the write-ahead log; `entry` is `undefined` for a call that ended without cost. */
export type WalEntry = {
  readonly requestId: string;
  readonly userId: number;
  readonly entry: OpenEntry | undefined;
};
/** The file of an entry. Exactly one acknowledgement follows, once the data is stored elsewhere. */
export type Note = { unconfirmed: number };

type File = Note & { readonly path: string; descriptor: number; bytes: number; isEmptying: boolean };

const NAMES = ["journal-0", "journal-1"] as const;
const ROTATE_BYTES = 256 * 1024;
const QUIET_MS = 1_000;
const FIELD = " ";
const CLOSED = -1;
/** Prefix of the number that orders the files' generations. */
const HEAD = "#";

/** The entries to be written at the end of this event-loop tick. */
type Turn = {
  lines: string;
  calls: number;
  readonly noted: Promise<Note | undefined>;
  readonly resolve: (note: Note | undefined) => void;
};

export type WriteAheadLog = ReturnType<typeof createWriteAheadLog>;

const toLine = ({ requestId, userId, entry }: WalEntry): string =>
  `${requestId}${FIELD}${userId}${FIELD}${entry ? openEntryText(entry) : ""}\n`;

/**
 * Appends the cost of calls to the local disk before their responses are sent, so that the round trip to Redis need not
 * be awaited. The entries survive the death of this process (not that of the machine), and the next relay that starts
 * with this folder posts them. A write goes to the page cache and contains all calls that end in one event-loop tick.
 * Two files rotate; one is truncated when all its entries are acknowledged, asynchronously, because some file systems
 * take milliseconds to release the space.
 */
export function createWriteAheadLog({ folder, log }: { folder: string; log: Logger }) {
  const open = (name: string): File => {
    const path = join(folder, name);
    return { path, descriptor: openSync(path, "a"), bytes: 0, unconfirmed: 0, isEmptying: false };
  };
  let [current, other] = [open(NAMES[0]), open(NAMES[1])];
  let notedAtMs = 0;
  let filled = 0;
  let isFailing = false;
  let turn: Turn | undefined;
  const empty = (file: File): void => {
    if (file.bytes === 0) return;
    ftruncateSync(file.descriptor, 0);
    file.bytes = 0;
  };
  /**
   * Truncates the older file, which is no longer written. On failure the next acknowledgement or the idle timer
   * retries.
   */
  const emptyOther = (): void => {
    const file = other;
    if (file.unconfirmed > 0 || file.bytes === 0 || file.isEmptying || file.descriptor === CLOSED) return;
    file.isEmptying = true;
    ftruncate(file.descriptor, 0, (error) => {
      file.isEmptying = false;
      if (!error) file.bytes = 0;
    });
  };
  /** Truncates both together: otherwise an older entry of a call could outlive the newer one. */
  const emptyWhenQuiet = (): void => {
    const isConfirmed = current.unconfirmed === 0 && other.unconfirmed === 0 && !other.isEmptying;
    if (isConfirmed && Date.now() - notedAtMs >= QUIET_MS) for (const file of [other, current]) empty(file);
  };
  const timer = setInterval(emptyWhenQuiet, QUIET_MS).unref();
  const rotate = (): void => {
    if (other.bytes > 0) return emptyOther();
    [current, other] = [other, current];
  };
  const write = (lines: string, calls: number): Note | undefined => {
    if (current.bytes >= ROTATE_BYTES) rotate();
    try {
      const head = current.bytes === 0 ? `${HEAD}${filled++}\n` : "";
      current.bytes += writeSync(current.descriptor, head + lines);
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.error({ err: error }, "write-ahead log append failed, settlements wait for Redis");
      isFailing = true;
      return undefined;
    }
    notedAtMs = Date.now();
    current.unconfirmed += calls;
    return current;
  };
  const writeTurn = (): void => {
    if (!turn) return;
    const { lines, calls, resolve } = turn;
    turn = undefined;
    resolve(write(lines, calls));
  };
  return {
    /** On return the entry is in the page cache and survives this process; undefined if the disk refuses. */
    note(call: WalEntry): Note | undefined {
      // An older entry of the same call may still be in this tick's batch.
      writeTurn();
      return write(toLine(call), 1);
    },
    /** Appends with the batch of this event-loop tick; resolves once it was written. */
    appendBatched(call: WalEntry): Promise<Note | undefined> {
      if (!turn) {
        const { promise, resolve } = Promise.withResolvers<Note | undefined>();
        turn = { lines: "", calls: 0, noted: promise, resolve };
        setImmediate(writeTurn);
      }
      turn.lines += toLine(call);
      turn.calls++;
      return turn.noted;
    },
    confirm(note: Note): void {
      note.unconfirmed--;
      if (note === other) emptyOther();
    },
    /** Keeps the files if an entry is not acknowledged. */
    close(): void {
      clearInterval(timer);
      writeTurn();
      const isDone = current.unconfirmed === 0 && other.unconfirmed === 0;
      for (const file of [current, other]) {
        // A file being truncated is still in use; the end of the process closes it.
        if (!file.isEmptying) closeSync(file.descriptor);
        // The descriptor number may be reused by another file from now on.
        file.descriptor = CLOSED;
        if (isDone) rmSync(file.path, { force: true });
      }
    },
  };
}

type Notes = { readonly turn: number; readonly calls: readonly WalEntry[] };

/** The entries of one file; a last line without its end was cut by a crash before its response was sent. */
function readNotes(path: string): Notes {
  if (!existsSync(path)) return { turn: 0, calls: [] };
  const [head = "", ...lines] = readFileSync(path, "utf8").split("\n").slice(0, -1);
  const calls = lines.map((line) => {
    const [requestId = "", userId = "", ...rest] = line.split(FIELD);
    return { requestId, userId: Number(userId), entry: parseOpenEntry(rest.join(FIELD)) };
  });
  return { turn: Number(head.slice(HEAD.length)), calls };
}

/**
 * The usage records from a dead relay's write-ahead log in `folder`; the last entry of a call counts. Most of these
 * calls are posted already: billing drops those by their id.
 */
export function readWriteAheadLog(folder: string, nowSeconds: number): UsageRecord[] {
  const last = new Map<string, WalEntry>();
  const files = NAMES.map((name) => readNotes(join(folder, name))).toSorted((a, b) => a.turn - b.turn);
  for (const call of files.flatMap(({ calls }) => calls)) last.set(call.requestId, call);
  return [...last.values()].flatMap(({ entry, ...call }) =>
    entry ? [toRecoveredRecord({ ...call, entry }, nowSeconds)] : [],
  );
}
