import { connectNats } from "@turnpike/shared/events/bus";
import { createLogger } from "@turnpike/shared/log/log";
import { connectMongo } from "@turnpike/shared/mongo/mongo";
import { connectRedis, type Redis, waitForRedis } from "@turnpike/shared/redis/redis";
import { reconcileLedger } from "./reconciliation/ledger-reconciliation.ts";
import { reconcileRelayFiles } from "./reconciliation/relay-files-reconciliation.ts";
import { reconcileBalanceCache } from "./reconciliation/balance-cache-reconciliation.ts";
import { type ReconciliationSettings, readReconciliationSettings } from "./reconciliation/reconciliation-settings.ts";
import { createFindings, type Findings } from "./reconciliation/findings.ts";
import { type Collections, createCollections } from "./store/collections.ts";
import { createStreamProgress } from "./usage-stream/stream-progress.ts";
import { getUsageStream } from "./usage-stream/usage-stream.ts";

const CONNECT_TIMEOUT_MS = 3_000;
const log = createLogger("ledger-check", "silent");

/** Returns whether the usage stream is drained, and records how much it holds; "unknown" counts as "no". */
async function connectStream({ NATS_URL, NAMESPACE }: ReconciliationSettings, findings: Findings) {
  if (NATS_URL === undefined) return { isDrained: async () => false, close: async () => undefined };
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, CONNECT_TIMEOUT_MS, undefined).unref());
  const nats = await Promise.race([connectNats({ url: NATS_URL, name: "ledger-check", log }), late]);
  if (!nats) {
    findings.skip("spending in Redis for equality: NATS is unavailable, so records may wait there");
    return { isDrained: async () => false, close: async () => undefined };
  }
  const watch = createStreamProgress(nats, getUsageStream(NAMESPACE));
  findings.count("messages in the usage stream", (await watch.pending()) ?? 0);
  return { isDrained: watch.isDrained, close: () => nats.close() };
}

async function checkRelayFiles(
  { spoolFolder }: ReconciliationSettings,
  { collections, redis, findings }: { collections: Collections; redis: Redis | undefined; findings: Findings },
): Promise<void> {
  if (spoolFolder === undefined) return findings.skip("spools and write-ahead logs of relays: DATA_DIR is not set");
  await reconcileRelayFiles({ spoolFolder, collections, redis, findings });
}

/** Compares what is not in MongoDB: balances in Redis, files of relays. */
async function checkOutside(
  settings: ReconciliationSettings,
  collections: Collections,
  findings: Findings,
): Promise<void> {
  if (settings.REDIS_URL === undefined) {
    findings.skip("balances and holds in Redis: REDIS_URL is not set");
    return checkRelayFiles(settings, { collections, redis: undefined, findings });
  }
  const redis = connectRedis({ url: settings.REDIS_URL, namespace: settings.NAMESPACE, log, commandTimeoutMs: 5_000 });
  const stream = await connectStream(settings, findings);
  try {
    const isThere = await waitForRedis(redis, CONNECT_TIMEOUT_MS);
    if (isThere) await reconcileBalanceCache({ redis, collections, findings, isDrained: stream.isDrained });
    else findings.skip("balances and holds in Redis: it is unavailable");
    await checkRelayFiles(settings, { collections, redis: isThere ? redis : undefined, findings });
  } finally {
    await stream.close();
    redis.disconnect();
  }
}

async function check(): Promise<Findings> {
  const settings = readReconciliationSettings(process.env);
  const findings = createFindings();
  const connection = await connectMongo(settings.MONGODB_URL);
  const collections = createCollections(connection);
  await reconcileLedger(connection, collections, findings);
  await checkOutside(settings, collections, findings);
  await connection.close();
  return findings;
}

try {
  const findings = await check();
  process.stdout.write(`${findings.lines().join("\n")}\n`);
  process.exit(findings.isClean() ? 0 : 1);
} catch (error) {
  process.stderr.write(`the ledger could not be checked: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(2);
}
