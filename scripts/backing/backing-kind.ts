import type { ManagedProcess } from "../process/managed-process.ts";

export type BackingName = "mongodb" | "redis" | "nats";

/** Where messages to the operator in the terminal go. */
export type Report = (message: string) => void;

/** The result of probing an address; undefined if nothing listens there. */
export type ProbeResult = { readonly usable: true } | { readonly usable: false; readonly reason: string } | undefined;

/** A backing server run by this program. */
export type BackingServer = {
  readonly port: number;
  readonly process: ManagedProcess;
  /**
   * Starts the server and settles when it accepts requests; throws SetupError with the end of its log if it does not.
   */
  start(): Promise<void>;
  stop(): Promise<void>;
};

export type ServerOptions = {
  readonly binary: string;
  /** Directory of the server's data. */
  readonly folder: string;
  readonly logFile: string;
  readonly port: number;
  readonly onStart?: (pid: number) => void;
  readonly report: Report;
};

/** Everything the finder needs to know about one kind of backing service. */
export type BackingKind = {
  readonly name: BackingName;
  readonly label: string;
  readonly variable: "MONGODB_URL" | "REDIS_URL" | "NATS_URL";
  readonly usualPort: number;
  readonly binaryName: string;
  /** What the operator can do when every attempt failed. */
  readonly advice: string;
  /**
   * Part of the command line of a server that runs on that folder and port. Distinguishes it from an unrelated process
   * that reuses its pid.
   */
  commandMark(folder: string, port: number): string;
  getUrl(port: number, database: string): string;
  /** Probes whether the server at that URL can be used; never throws and never hangs. */
  probe(url: string): Promise<ProbeResult>;
  /** Installs or downloads the server; returns the binary's path, or undefined if no method worked. */
  fetch(report: Report): Promise<string | undefined>;
  createServer(options: ServerOptions): BackingServer;
};
