import { findPortHolder } from "../process/port-holder.ts";

/** What is known of a server that did not start. */
export type FailedStart = {
  readonly label: string;
  readonly variable: string;
  readonly folder: string;
  readonly port: number;
  /** The end of its log. */
  readonly log: string;
  readonly signal: string | undefined;
};

type Cause = { readonly pattern: RegExp; readonly advise: (failed: FailedStart) => string };

function describeHolder(port: number): string {
  const holder = findPortHolder(port);
  return holder ? `process ${holder.pid} (${holder.command})` : "another program";
}

/** Causes by what the servers write, the specific ones first. */
const CAUSES: readonly Cause[] = [
  {
    pattern: /DBPathInUse|mongod\.lock|Unable to (?:lock|acquire)|Resource temporarily unavailable|in use by another/i,
    advise: ({ folder }) =>
      `Another server uses ${folder}. Stop it (lsof +D ${folder} names it), or choose another folder with DATA_DIR.`,
  },
  {
    pattern: /address already in use|EADDRINUSE|Failed to set up listener/i,
    advise: ({ port }) => `Port ${port} is in use by ${describeHolder(port)}. Repeat: a free port is chosen.`,
  },
  {
    pattern: /no space left|ENOSPC|disk (?:is )?full|quota exceeded|insufficient storage/i,
    advise: ({ folder }) =>
      `The disk of ${folder} is full. Free space (df -h ${folder}), or choose a folder on another disk with DATA_DIR.`,
  },
  {
    pattern: /permission denied|EACCES|operation not permitted|read-only file system|not writable/i,
    advise: ({ folder }) =>
      `${folder} is not writable for you. Make it yours (sudo chown -R $(id -u) ${folder}), or choose another folder with DATA_DIR.`,
  },
  {
    pattern: /featureCompatibilityVersion|UPGRADE PROBLEM|IncompatibleServerVersion|Can't handle RDB format/i,
    advise: ({ label, folder }) =>
      `Another version of ${label} wrote ${folder}. Put that version on PATH, or restore a backup into an empty DATA_DIR.`,
  },
  {
    pattern: /GLIBC_|error while loading shared libraries|cannot open shared object|Library not loaded/i,
    advise: ({ label, variable }) =>
      `This system lacks a library that ${label} needs. Install ${label} from its package, or set ${variable}.`,
  },
  {
    pattern: /Bad file format reading the append only file|append only file.*(?:corrupt|truncat)|WiredTiger.*corrupt/i,
    advise: ({ folder }) =>
      `Files in ${folder} are damaged. Keep a copy of it, then repair them (redis-check-aof --fix, mongod --repair) or restore a backup.`,
  },
];

/** What an operator can do when a server did not start. */
export function adviseOnStart(failed: FailedStart): string {
  const { label, variable, folder, signal } = failed;
  const cause = CAUSES.find(({ pattern }) => pattern.test(failed.log));
  if (cause) return cause.advise(failed);
  if (signal === "SIGILL")
    return `This processor lacks instructions that ${label} needs (AVX for MongoDB). Set ${variable} to a server elsewhere.`;
  if (signal === "SIGKILL") return `${label} was killed, usually for lack of memory. Free memory and repeat.`;
  return `Correct the cause that its log names, then repeat. It must be able to write ${folder}; ${variable} names a server of your own instead.`;
}
