import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { z } from "zod";

const Identity = z.object({
  pid: z.number().int(),
  /** Processes with the same space see each other: the boot of the machine and the namespace of process ids. */
  space: z.string(),
  /** When it started, in clock ticks of the kernel; process ids are used again. */
  startedAt: z.string(),
});
type Identity = z.infer<typeof Identity>;

/** The fields of `/proc/<pid>/stat` after the name: the state is the first, the start the twentieth. */
const STAT_STATE = 0;
const STAT_START = 19;
const ENDED = new Set(["Z", "X", "x"]);

/** When a process of this namespace started; undefined if it has ended. */
function readStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return ENDED.has(fields[STAT_STATE] ?? "") ? undefined : fields[STAT_START];
  } catch {
    return undefined;
  }
}

/** Where there is no `/proc` (macOS), processes are distinguished by their id alone. */
function hasProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function readOwnIdentity(): Identity {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const space = `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
    return { pid: process.pid, space, startedAt: readStart(process.pid) ?? "" };
  } catch {
    return { pid: process.pid, space: hostname(), startedAt: "" };
  }
}
const own = readOwnIdentity();

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What this process writes into its folder, so that others can check whether it is alive. */
export const ownIdentity = (): string => JSON.stringify(own);

/** Whether the process that wrote an identity is alive; undefined when it cannot be seen from here: another container or machine. */
export function isProcessAlive(text: string): boolean | undefined {
  const { success, data: other } = Identity.safeParse(readJson(text));
  if (!success || other.space !== own.space) return undefined;
  return other.startedAt === "" ? hasProcess(other.pid) : readStart(other.pid) === other.startedAt;
}
