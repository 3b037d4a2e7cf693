import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type OpenEntry, openEntryText, parseOpenEntry } from "./account-keys.ts";
import { parseObject } from "./json-object.ts";

/** An entry of a relay's write-ahead log; `entry` is `undefined` for a call that ended without cost. */
export type WalEntry = {
  readonly requestId: string;
  readonly userId: number;
  readonly entry: OpenEntry | undefined;
};

/** The two files that rotate. */
export const WAL_FILES = ["journal-0", "journal-1"] as const;
const FIELD = " ";
const HEAD = /^#(\d+)$/;
const LINE = /^(?<requestId>\S+) (?<userId>\d+) (?<text>.*)$/;

/** The first line of a file: the number that orders the files' generations. */
export const toWalHead = (generation: number): string => `#${generation}\n`;

export const toWalLine = ({ requestId, userId, entry }: WalEntry): string =>
  `${requestId}${FIELD}${userId}${FIELD}${entry ? openEntryText(entry) : ""}\n`;

/**
 * Reads an entry; none if it is damaged. A part of a call's entry must not be read as the end of a call without cost, nor as its
 * cost.
 */
function parseLine(line: string): WalEntry[] {
  const { requestId = "", userId = "", text = "" } = LINE.exec(line)?.groups ?? {};
  if (requestId === "") return [];
  const entry = parseOpenEntry(text);
  if (text !== "" && (!entry || !isJsonObject(entry.json))) return [];
  return [{ requestId, userId: Number(userId), entry }];
}

const isJsonObject = (text: string): boolean => text === "{}" || Object.keys(parseObject(text)).length > 0;

/** The entries of one file; a last line without its end was cut by a crash before its response was sent. */
function readFile(path: string): { generation: number; calls: readonly WalEntry[] } {
  if (!existsSync(path)) return { generation: 0, calls: [] };
  const [head = "", ...lines] = readFileSync(path, "utf8").split("\n").slice(0, -1);
  const generation = HEAD.exec(head)?.[1];
  const entries = generation === undefined ? [head, ...lines] : lines;
  return { generation: Number(generation ?? 0), calls: entries.flatMap(parseLine) };
}

/** The last entry of each call in the write-ahead log of a folder. Throws if a file cannot be read. */
export function readWalEntries(folder: string): WalEntry[] {
  const files = WAL_FILES.map((name) => readFile(join(folder, name))).toSorted((a, b) => a.generation - b.generation);
  const last = new Map<string, WalEntry>();
  for (const call of files.flatMap(({ calls }) => calls)) last.set(call.requestId, call);
  return [...last.values()];
}
