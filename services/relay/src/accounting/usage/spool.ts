import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Logger } from "@turnpike/shared/log/log";
import { ownIdentity } from "@turnpike/shared/lifecycle/process-identity";
import { writeFully } from "./write-fully.ts";

/** The file of a folder that names its owner. */
export const OWNER_FILE = "pid";
/** Folders that a relay has taken over and not emptied yet lie in its own one. */
const TAKEN_PREFIX = "taken-";
const SEGMENT = ".ndjson";
const SEGMENT_BYTES_MAX = 8 * 1024 * 1024;

type Options = {
  readonly root: string;
  readonly owner: string;
  readonly bytesMax: number;
  readonly log: Logger;
  /** Converts a dead relay's other files in its folder (the write-ahead log) to lines to send. */
  readonly recover?: (folder: string) => readonly string[];
};

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";

const listSegments = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith(SEGMENT));

/**
 * Lines on disk, oldest first: usage waits here while NATS is down. Each relay process has its own folder below `root`, and
 * creates it again if it was removed. A disk that takes nothing (full, read-only) makes `append` throw, and nothing else.
 */
export class Spool {
  readonly folder: string;
  readonly #options: Options;
  /** Segments of two relays in one folder must not have the same name. */
  readonly #mark = randomBytes(4).toString("hex");
  #sequence = 0;
  #current: string | undefined;
  /** The bytes of whole lines in each segment that is to be sent. */
  readonly #segments = new Map<string, number>();

  constructor(options: Options) {
    this.#options = options;
    this.folder = join(options.root, options.owner);
    try {
      this.#createFolder();
    } catch (error) {
      options.log.error({ err: error, folder: this.folder }, "spool cannot be written");
    }
  }

  isEmpty(): boolean {
    return this.#segments.size === 0;
  }

  isFull(): boolean {
    return this.bytes() >= this.#options.bytesMax;
  }

  bytes(): number {
    return [...this.#segments.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Appends a line; on return it survives the death of this process. Throws if the disk does not take it as a whole. */
  append(line: string): void {
    const text = `${line}\n`;
    if (!existsSync(this.folder)) this.#createFolder();
    // A damaged end of a segment must not reach the next line.
    const segment = this.#current ?? this.#nextSegment();
    this.#current = undefined;
    const descriptor = openSync(join(this.folder, segment), "a");
    try {
      const { size } = fstatSync(descriptor);
      this.#add(segment, writeFully(descriptor, size, text));
      if (size < SEGMENT_BYTES_MAX) this.#current = segment;
    } finally {
      closeSync(descriptor);
    }
  }

  /**
   * Passes every line to `send` in order and deletes a segment once all its lines were sent; stops at the first
   * failure.
   */
  async drain(send: (line: string) => Promise<void>): Promise<void> {
    // Lines appended during this go to a new segment.
    this.#current = undefined;
    for (const name of [...this.#segments.keys()].toSorted()) {
      const text = this.#read(name);
      if (text === undefined) continue;
      // A last line without its end was cut by a crash: its call is settled from the hold.
      for (const line of text.split("\n").slice(0, -1)) await send(line);
      this.#segments.delete(name);
      this.#delete(name);
    }
  }

  /**
   * Takes over what a dead relay left in its folder: its segments, and the lines of its other files. The rename lets one of
   * several relays have it. Throws if the disk does not take it; what is left is taken over at the next try.
   */
  takeOver(name: string): void {
    const { root, log } = this.#options;
    if (!existsSync(this.folder)) this.#createFolder();
    const taken = join(this.folder, `${TAKEN_PREFIX}${name}`);
    renameSync(join(root, name), taken);
    this.#empty(taken);
    log.info({ relayId: name }, "spool of a dead relay taken over");
  }

  /** Empties folders that were taken over and could not be emptied then. */
  retryTaken(): void {
    if (!existsSync(this.folder)) return;
    for (const name of readdirSync(this.folder))
      if (name.startsWith(TAKEN_PREFIX)) this.#empty(join(this.folder, name));
  }

  close(): void {
    if (!this.isEmpty() || !existsSync(this.folder)) return;
    const isLeft = readdirSync(this.folder).some((name) => name !== OWNER_FILE && !name.endsWith(SEGMENT));
    if (isLeft) return;
    try {
      rmSync(this.folder, { recursive: true, force: true });
    } catch (error) {
      this.#options.log.warn({ err: error, folder: this.folder }, "spool folder could not be deleted");
    }
  }

  #createFolder(): void {
    mkdirSync(this.folder, { recursive: true });
    // The relay that took the old folder over has a segment of this name, and must not overwrite it by taking another one.
    this.#current = undefined;
    writeFileSync(join(this.folder, OWNER_FILE), ownIdentity());
  }

  #empty(folder: string): void {
    // A relay may have died while it emptied the folder of another.
    for (const name of readdirSync(folder)) if (name.startsWith(TAKEN_PREFIX)) this.#empty(join(folder, name));
    for (const segment of listSegments(folder)) {
      const { size } = statSync(join(folder, segment));
      renameSync(join(folder, segment), join(this.folder, segment));
      this.#add(segment, size);
    }
    for (const line of this.#options.recover?.(folder) ?? []) this.append(line);
    rmSync(folder, { recursive: true });
  }

  /** The text of a segment; undefined, and forgotten, if another relay took it over: that one sends its lines. */
  #read(name: string): string | undefined {
    try {
      return readFileSync(join(this.folder, name), "utf8");
    } catch (error) {
      if (!isMissing(error)) throw error;
      this.#segments.delete(name);
      this.#options.log.warn({ segment: name }, "spool segment was taken over by another relay");
      return undefined;
    }
  }

  #add(segment: string, bytes: number): void {
    this.#segments.set(segment, (this.#segments.get(segment) ?? 0) + bytes);
  }

  #nextSegment(): string {
    const sequence = String(this.#sequence++).padStart(6, "0");
    return `${Date.now().toString().padStart(15, "0")}-${sequence}-${this.#mark}${SEGMENT}`;
  }

  #delete(name: string): void {
    try {
      rmSync(join(this.folder, name));
    } catch (error) {
      this.#options.log.warn({ err: error, segment: name }, "sent usage could not be deleted from the spool");
    }
  }
}
