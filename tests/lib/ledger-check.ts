import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { isSettled } from "./settled.ts";
import type { World } from "./world.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const TIMEOUT_MS = 60_000;
const SETTLED_WITHIN_MS = 30_000;

/**
 * Runs the project's own check over every account and returns its output; rejects, with the output in `stdout`, if
 * figures do not agree. `folder` is the checkout whose check is run.
 */
export async function ledgerCheck(
  world: Pick<World, "mongodbUrl" | "redisUrl" | "natsUrl" | "namespace"> & Partial<Pick<World, "dataFolder">>,
  { folder = ROOT, timeoutMs = TIMEOUT_MS }: { readonly folder?: string; readonly timeoutMs?: number } = {},
): Promise<string> {
  const env = {
    PATH: process.env["PATH"],
    MONGODB_URL: world.mongodbUrl,
    REDIS_URL: world.redisUrl,
    NATS_URL: world.natsUrl,
    NAMESPACE: world.namespace,
    ...(world.dataFolder === undefined ? {} : { DATA_DIR: world.dataFolder }),
  };
  const script = resolve(folder, "services/billing/src/ledger-check.ts");
  return (await promisify(execFile)(process.execPath, [script], { env, timeout: timeoutMs })).stdout;
}

/** Waits until every call of a test is settled, then runs the check. Rejects if figures do not agree. */
export async function checkSettledLedger(world: World): Promise<void> {
  const deadline = Date.now() + SETTLED_WITHIN_MS;
  while (!(await isSettled(world)) && Date.now() < deadline) continue;
  await ledgerCheck(world);
}
