import type { ManagedProcess } from "../process/managed-process.ts";

export type BackingName = "mongodb" | "redis" | "nats";

/** Where messages to the person at the keyboard go. */
export type Tell = (message: string) => void;

/** What a look at an address found; undefined: nobody answers there. */
export type ProbeResult = { readonly usable: true } | { readonly usable: false; readonly reason: string } | undefined;

/** A backing server that this program runs itself. */
export type BackingServer = {
  readonly port: number;
  readonly process: ManagedProcess;
  /** Starts it and settles when it serves; throws SetupError with the end of its log when it does not. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

export type ServerOptions = {
  readonly binary: string;
  /** Keeps the server's data. */
  readonly folder: string;
  readonly logFile: string;
  readonly port: number;
  readonly onStart?: (pid: number) => void;
  readonly tell: Tell;
};

/** All that the finder has to know about one kind of backing service. */
export type BackingKind = {
  readonly name: BackingName;
  readonly label: string;
  readonly variable: "MONGODB_URL" | "REDIS_URL" | "NATS_URL";
  readonly usualPort: number;
  readonly binaryName: string;
  /** What a person can do when every way failed. */
  readonly advice: string;
  /** Part of the command line of a server run on that folder and port, to tell it from a stranger with its old pid. */
  commandMark(folder: string, port: number): string;
  urlOfPort(port: number, database: string): string;
  /** Looks whether a server at that URL can be used; never throws and never hangs. */
  probe(url: string): Promise<ProbeResult>;
  /** Path of a binary that this program fetched earlier. */
  fetched(): string | undefined;
  /** Fetches the server; answers the binary's path, or undefined when no way worked. */
  fetch(tell: Tell): Promise<string | undefined>;
  createServer(options: ServerOptions): BackingServer;
};
