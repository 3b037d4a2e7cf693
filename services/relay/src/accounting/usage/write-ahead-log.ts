import { closeSync, existsSync, ftruncate, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type OpenEntry, openEntryText, parseOpenEntry } from "@turnpike/shared/accounts/account-keys";
import { toRecoveredRecord } from "@turnpike/shared/accounts/recovered-usage";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import type { Logger } from "@turnpike/shared/log/log";

/** A call as the journal notes it; `undefined` for one that ended without cost. */
export type NotedCall = {
  readonly requestId: string;
  readonly userId: number;
  readonly entry: OpenEntry | undefined;
};
/** Where a call was noted. Exactly one `confirm` follows, once somebody else keeps what it says. */
export type Note = { unconfirmed: number };

type File = Note & { readonly path: string; descriptor: number; bytes: number; isEmptying: boolean };

const NAMES = ["journal-0", "journal-1"] as const;
const ROTATE_BYTES = 256 * 1024;
const QUIET_MS = 1_000;
const FIELD = " ";
const CLOSED = -1;
/** Before the number by which the files' turns are told apart. */
const HEAD = "#";

/** What is noted at the end of this turn of the event loop. */
type Turn = {
  lines: string;
  calls: number;
  readonly noted: Promise<Note | undefined>;
  readonly resolve: (note: Note | undefined) => void;
};

export type WriteAheadLog = ReturnType<typeof createWriteAheadLog>;

const lineOf = ({ requestId, userId, entry }: NotedCall): string =>
  `${requestId}${FIELD}${userId}${FIELD}${entry ? openEntryText(entry) : ""}\n`;

/**
 * Notes on the local disk what calls cost before their answers leave, so that the way to Redis need not be waited for: what is
 * written there survives the death of this process (not that of the machine), and the next relay that starts in this place books it.
 * A write goes into the page cache and takes the notes of all calls that end in one turn of the event loop. Two files take turns;
 * one is emptied when everything in it has been confirmed, beside the event loop: some file systems take milliseconds to give the
 * room back.
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
  /** The older file, into which nobody writes; should it fail, the next confirmation or the quiet tries again. */
  const emptyOther = (): void => {
    const file = other;
    if (file.unconfirmed > 0 || file.bytes === 0 || file.isEmptying || file.descriptor === CLOSED) return;
    file.isEmptying = true;
    ftruncate(file.descriptor, 0, (error) => {
      file.isEmptying = false;
      if (!error) file.bytes = 0;
    });
  };
  /** Both at once, or the older note of a call could outlive the younger one. */
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
      if (!isFailing) log.error({ err: error }, "calls cannot be noted on disk; settlements are waited for");
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
    /** On return the call is on its way to the disk, whatever becomes of this process; undefined when the disk refuses. */
    note(call: NotedCall): Note | undefined {
      // An older note of the same call may wait for the end of the turn.
      writeTurn();
      return write(lineOf(call), 1);
    },
    /** The same, resolved at the end of this turn of the event loop, when all calls that ended in it have been noted at once. */
    noteWithTurn(call: NotedCall): Promise<Note | undefined> {
      if (!turn) {
        const { promise, resolve } = Promise.withResolvers<Note | undefined>();
        turn = { lines: "", calls: 0, noted: promise, resolve };
        setImmediate(writeTurn);
      }
      turn.lines += lineOf(call);
      turn.calls++;
      return turn.noted;
    },
    confirm(note: Note): void {
      note.unconfirmed--;
      if (note === other) emptyOther();
    },
    /** Leaves the files where something is unconfirmed. */
    close(): void {
      clearInterval(timer);
      writeTurn();
      const isDone = current.unconfirmed === 0 && other.unconfirmed === 0;
      for (const file of [current, other]) {
        // One that is being emptied is still in use; the end of the process closes it.
        if (!file.isEmptying) closeSync(file.descriptor);
        // Its number may be another file's from now on.
        file.descriptor = CLOSED;
        if (isDone) rmSync(file.path, { force: true });
      }
    },
  };
}

type Notes = { readonly turn: number; readonly calls: readonly NotedCall[] };

/** What one file holds; a last line without its end was cut by the crash, before its answer left. */
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
 * The usage records of what a dead relay noted in `folder`; the last note of a call counts. Most of these calls are booked already:
 * billing drops those by their id.
 */
export function readWriteAheadLog(folder: string, nowSeconds: number): UsageRecord[] {
  const last = new Map<string, NotedCall>();
  const files = NAMES.map((name) => readNotes(join(folder, name))).toSorted((a, b) => a.turn - b.turn);
  for (const call of files.flatMap(({ calls }) => calls)) last.set(call.requestId, call);
  return [...last.values()].flatMap(({ entry, ...call }) =>
    entry ? [toRecoveredRecord({ ...call, entry }, nowSeconds)] : [],
  );
}
