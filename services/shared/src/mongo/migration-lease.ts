import { randomUUID } from "node:crypto";
import { z } from "zod";
import { readConfig } from "../config/read-config.ts";
import { setTimeout as wait } from "node:timers/promises";
import type { Connection } from "mongoose";
import { isDuplicateKey } from "./mongo.ts";

type LeaseDoc = { _id: string; holder: string; untilMs: number; done?: string[] };

/**
 * How a start treats migrations: does them itself (start), waits until a job has done those of its version (wait), or does them and
 * ends (only): that is the job.
 */
const MigrationConfig = z.object({
  MIGRATIONS: z.enum(["start", "wait", "only"]).default("start"),
  TURNPIKE_VERSION: z.string().default("dev"),
});
const WAIT_POLL_MS = 1_000;
const WAIT_MAX_MS = 600_000;

const LEASE_MS = 60_000;
const RETRY_MS = 100;
const ATTEMPTS_MAX = (2 * LEASE_MS) / RETRY_MS;

async function waitForJob(isDone: () => Promise<boolean>, what: string): Promise<void> {
  const untilMs = Date.now() + WAIT_MAX_MS;
  while (!(await isDone())) {
    if (Date.now() > untilMs) throw new Error(`the migration job of ${what} has not ended`);
    await wait(WAIT_POLL_MS);
  }
}

/**
 * Runs a service's migration while no other process runs it; a process that died keeps the others out for a minute. Throws when
 * the lease does not come free within two. What MIGRATIONS says may turn it into a wait for the job, or end the process after it.
 */
export async function withMigrationLease(mongo: Connection, service: string, run: () => Promise<void>): Promise<void> {
  const leases = mongo.collection<LeaseDoc>("migrations");
  const { MIGRATIONS: mode, TURNPIKE_VERSION: version } = readConfig(MigrationConfig);
  const isDone = async (): Promise<boolean> => (await leases.countDocuments({ _id: service, done: version })) > 0;
  if (mode === "wait") return waitForJob(isDone, `${service} ${version}`);
  const holder = randomUUID();
  const acquire = async (): Promise<boolean> => {
    const now = Date.now();
    try {
      await leases.updateOne(
        { _id: service, untilMs: { $lt: now } },
        { $set: { holder, untilMs: now + LEASE_MS } },
        { upsert: true },
      );
      return true;
    } catch (error) {
      // Somebody holds it: the upsert tried to make a second document of this id.
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };
  let attempts = 0;
  while (!(await acquire())) {
    if (++attempts > ATTEMPTS_MAX) throw new Error("another process keeps the migration's lease");
    await wait(RETRY_MS);
  }
  try {
    await run();
    await leases.updateOne({ _id: service }, { $addToSet: { done: version } });
  } finally {
    await leases.updateOne({ _id: service, holder }, { $set: { untilMs: 0 } });
  }
  if (mode === "only") process.exit(0);
}
