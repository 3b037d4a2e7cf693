import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Logger } from "@turnpike/shared/log/log";

const SEGMENT_BYTES_MAX = 8 * 1024 * 1024;

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}

export type Spool = ReturnType<typeof createSpool>;

/**
 * Lines on disk, oldest first: usage waits here while NATS is down. Each relay process has its own folder below `root`;
 * at start it takes over the folders of dead processes.
 */
export function createSpool(options: {
  root: string;
  owner: string;
  bytesMax: number;
  log: Logger;
  /** Converts a dead relay's other files in its folder (the write-ahead log) to lines to send. */
  recover?: (folder: string) => readonly string[];
}) {
  const folder = join(options.root, options.owner);
  let sequence = 0;
  let current: string | undefined;
  let bytes = 0;

  const segments = (): string[] =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".ndjson"))
      .toSorted();
  const nextSegment = (): string =>
    `${Date.now().toString().padStart(15, "0")}-${String(sequence++).padStart(6, "0")}.ndjson`;

  /**
   * The `pid` file identifies a folder's owner; a folder with this process id but another name is from an earlier
   * container.
   */
  const adopt = (name: string): void => {
    const other = join(options.root, name);
    const pidFile = join(other, "pid");
    if (name === options.owner || !existsSync(pidFile)) return;
    const processId = Number(readFileSync(pidFile, "utf8"));
    if (processId !== process.pid && isAlive(processId)) return;
    for (const segment of readdirSync(other).filter((file) => file.endsWith(".ndjson"))) {
      renameSync(join(other, segment), join(folder, segment));
      options.log.info({ segment }, "spool of a dead relay taken over");
    }
    for (const line of options.recover?.(other) ?? []) append(line);
    rmSync(other, { recursive: true });
  };

  const append = (line: string): void => {
    if (current === undefined || statSync(join(folder, current)).size > SEGMENT_BYTES_MAX) {
      current = nextSegment();
      writeFileSync(join(folder, current), "");
    }
    appendFileSync(join(folder, current), `${line}\n`);
    bytes += Buffer.byteLength(line) + 1;
  };

  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "pid"), String(process.pid));
  for (const name of readdirSync(options.root)) adopt(name);
  bytes = segments().reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

  return {
    folder,
    isEmpty: (): boolean => bytes === 0,
    isFull: (): boolean => bytes >= options.bytesMax,
    bytes: (): number => bytes,
    /** Appends a line; on return it survives the death of this process. */
    append,
    /**
     * Passes every line to `send` in order and deletes a segment once all its lines were sent; stops at the first
     * failure.
     */
    async drain(send: (line: string) => Promise<void>): Promise<void> {
      // Lines appended during this go to a new segment.
      current = undefined;
      for (const name of segments()) {
        if (name === current) return;
        const text = readFileSync(join(folder, name), "utf8");
        // A last line without its end was cut by a crash: its call is settled from the hold.
        for (const line of text.split("\n").slice(0, -1)) await send(line);
        rmSync(join(folder, name));
        bytes = Math.max(0, bytes - Buffer.byteLength(text));
      }
    },
    close(): void {
      const isLeft = readdirSync(folder).some((name) => name !== "pid");
      if (bytes === 0 && !isLeft) rmSync(folder, { recursive: true, force: true });
    },
  };
}
