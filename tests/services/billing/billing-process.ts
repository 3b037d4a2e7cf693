import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { freePort } from "../../../scripts/process/ports.ts";
import { ledgerCheck } from "../../lib/ledger-check.ts";
import { type BillingWorld, INTERNAL_SECRET, MASTER_KEY } from "./billing-world.ts";

const SOURCE = resolve(import.meta.dirname, "../../../services/billing/src");
const READY_TIMEOUT_MS = 30_000;

/** The real service as its own process, next to the world's. */
export async function startBillingProcess(world: Pick<BillingWorld, "backing" | "authAddress">) {
  const { backing, authAddress } = world;
  const opsPort = await freePort();
  const env = {
    PATH: process.env["PATH"],
    LOG_LEVEL: "warn",
    GRPC_PORT: "0",
    OPS_PORT: String(opsPort),
    INTERNAL_SECRET,
    MASTER_KEY,
    MONGODB_URL: backing.mongodbUrl,
    REDIS_URL: backing.redisUrl,
    NATS_URL: backing.natsUrl,
    NAMESPACE: backing.namespace,
    AUTH_ADDRESS: authAddress,
    CHANNEL_ADDRESS: authAddress,
  };
  const child: ChildProcess = spawn(process.execPath, [resolve(SOURCE, "main.ts")], { env, stdio: "ignore" });
  const ended = once(child, "exit");
  // A failing test must not leave it running.
  const end = (): boolean => child.kill("SIGKILL");
  process.once("exit", end);
  void ended.then(() => process.off("exit", end));
  const isReady = async (): Promise<boolean> => {
    try {
      return (await fetch(`http://127.0.0.1:${opsPort}/ready`, { signal: AbortSignal.timeout(2_000) })).ok;
    } catch {
      return false;
    }
  };
  const untilMs = Date.now() + READY_TIMEOUT_MS;
  while (!(await isReady())) {
    if (Date.now() > untilMs || child.exitCode !== null) throw new Error("billing did not start");
    await new Promise((done) => setTimeout(done, 50));
  }
  return {
    opsPort,
    /** Kills it, as in a crash. */
    async kill(): Promise<void> {
      child.kill("SIGKILL");
      await ended;
    },
    /** Sends it SIGTERM; returns its exit code. */
    async stop(): Promise<number | null> {
      child.kill("SIGTERM");
      await ended;
      return child.exitCode;
    },
  };
}

/**
 * Runs the ledger check on a world's data, and on the relays' files in a data folder, and returns its output, whether or not the
 * figures agree.
 */
export async function runLedgerCheck({ backing }: Pick<BillingWorld, "backing">, dataFolder?: string) {
  try {
    return { exitCode: 0, output: await ledgerCheck({ ...backing, ...(dataFolder && { dataFolder }) }) };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number | null; stdout: string; stderr: string };
    return { exitCode: code, output: stdout + stderr };
  }
}
