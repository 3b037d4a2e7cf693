import type { Connection } from "mongoose";
import { type BackgroundLoop, createBackgroundLoop } from "../concurrency/background-loop.ts";

const EVERY_MS = 10_000;
const TIMEOUT_MS = 3_000;

/** The clock of the database's primary. `start` keeps it; `stop` ends that. */
export type StoreClock = Pick<BackgroundLoop, "start" | "stop"> & { readonly nowMs: () => number };

/**
 * Reads the clock of MongoDB's primary, so that all replicas of a service agree on the time and a change of this machine's
 * clock moves nothing. Between two reads time passes by the monotonic clock. Throws if MongoDB does not respond.
 */
export async function createStoreClock(connection: Connection): Promise<StoreClock> {
  let offsetMs = 0;
  const read = async (): Promise<void> => {
    const sentAtMs = performance.now();
    const reply = await connection.db?.command({ hello: 1 }, { timeoutMS: TIMEOUT_MS, readPreference: "primary" });
    const { localTime } = reply as { readonly localTime: Date };
    offsetMs = localTime.getTime() - (performance.now() + sentAtMs) / 2;
  };
  await read();
  const loop = createBackgroundLoop({ task: "store clock", run: read, everyMs: EVERY_MS, firstMs: EVERY_MS });
  return { start: loop.start, stop: loop.stop, nowMs: () => Math.round(performance.now() + offsetMs) };
}
