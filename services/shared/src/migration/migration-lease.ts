import { z } from "zod";
import { readConfig } from "../config/read-config.ts";
import { setTimeout as wait } from "node:timers/promises";
import { type Connection, mongo as driver } from "mongoose";
import { retry } from "../concurrency/retry.ts";
import { createLease } from "../lease/lease.ts";
import { createMongoLeaseStore } from "../lease/mongo-lease-store.ts";

type MigrationDoc = { _id: string; done?: string[] };

class LeaseHeld extends Error {}

/**
 * How a start treats migrations: runs them itself (start), waits until a job has run those of its version (wait), or
 * runs them and exits (only): that is the job.
 */
const MigrationConfig = z.object({
  MIGRATIONS: z.enum(["start", "wait", "only"]).default("start"),
  TURNPIKE_VERSION: z.string().default("dev"),
});
const WAIT_POLL_MS = 1_000;
const WAIT_MAX_MS = 600_000;

const LEASE_MS = 60_000;
const BACKOFF = { firstMs: 100, maxMs: 100 };
const ATTEMPTS_MAX = (2 * LEASE_MS) / BACKOFF.maxMs;
/** A server under load refuses or outlasts single commands; a migration repeats without harm. About a quarter of a minute. */
const RUN_RETRIES = { backoff: { firstMs: 500, maxMs: 4_000 }, attemptsMax: 6 };

async function waitForJob(isDone: () => Promise<boolean>, what: string): Promise<void> {
  const untilMs = Date.now() + WAIT_MAX_MS;
  while (!(await isDone())) {
    if (Date.now() > untilMs) throw new Error(`the migration job of ${what} has not ended`);
    await wait(WAIT_POLL_MS);
  }
}

/**
 * Runs a service's migration while no other process runs it; the lease of a dead process expires after a minute. What
 * MongoDB refuses is tried again a few times. Throws when the lease is not free within two minutes. MIGRATIONS may turn
 * this into a wait for the job, or end the process after it.
 */
export async function withMigrationLease(mongo: Connection, service: string, run: () => Promise<void>): Promise<void> {
  const migrations = mongo.collection<MigrationDoc>("migrations");
  const { MIGRATIONS: mode, TURNPIKE_VERSION: version } = readConfig(MigrationConfig);
  const isDone = async (): Promise<boolean> => (await migrations.countDocuments({ _id: service, done: version })) > 0;
  if (mode === "wait") return waitForJob(isDone, `${service} ${version}`);
  const store = createMongoLeaseStore({
    collection: migrations,
    id: service,
    holderField: "holder",
    untilField: "untilMs",
  });
  const lease = createLease({ store, durationMs: LEASE_MS });
  const acquire = async (): Promise<void> => {
    if (!(await lease.acquire())) throw new LeaseHeld("another process holds the migration's lease");
  };
  const isStoreError = (error: unknown): boolean => error instanceof driver.MongoError;
  // A write that timed out may have taken the lease: this process requests it again, and it is its own.
  const isRetryable = (error: unknown): boolean => error instanceof LeaseHeld || isStoreError(error);
  await retry(acquire, { backoff: BACKOFF, attemptsMax: ATTEMPTS_MAX, isRetryable });
  const migrate = async (): Promise<void> => {
    await run();
    await migrations.updateOne({ _id: service }, { $addToSet: { done: version } });
  };
  await lease.runHeld(() => retry(migrate, { ...RUN_RETRIES, isRetryable: isStoreError }));
  if (mode === "only") process.exit(0);
}
