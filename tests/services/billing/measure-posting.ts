import { existsSync, readFileSync } from "node:fs";
import { randomInt } from "node:crypto";
import { usage } from "./usage-records.ts";
import { startLocalBacking } from "../../lib/backing/local-backing.ts";
import { withNamespace, toBackingUrls } from "../../lib/backing/backing-urls.ts";
import { connectMongo } from "@turnpike/shared/mongo/mongo";
import { createLogger } from "@turnpike/shared/log/log";
import { connectRedis, waitForRedis } from "@turnpike/shared/redis/redis";
import { ensureWorkStream, getStreamManager } from "@turnpike/shared/events/work-stream";
import { createUsageSigner } from "@turnpike/shared/crypto/usage-signature";
import { connectNats, createBus } from "@turnpike/shared/events/bus";
import { createBalanceCache } from "../../../services/billing/src/accounts/balance-cache.ts";
import { migrate } from "../../../services/billing/src/migrate.ts";
import { createCollections } from "../../../services/billing/src/store/collections.ts";
import { createTokenStatusUpdater } from "../../../services/billing/src/tokens/token-status.ts";
import { createUsagePoster } from "../../../services/billing/src/usage/usage-posting.ts";
import { createDeadLetters } from "../../../services/billing/src/usage/dead-letters.ts";
import { createUsageApplier } from "../../../services/billing/src/usage/usage-applier.ts";
import { createUsageConsumer } from "../../../services/billing/src/usage/usage-consumer.ts";
import { createRecordPublisher } from "../../../services/billing/src/usage-stream/record-publisher.ts";
import { getUsageStream } from "../../../services/billing/src/usage-stream/usage-stream.ts";

/**
 * Measures how many usage records per second billing applies, from the stream to the acknowledgement, with Redis
 * brought up to date. Run it with node: `node tests/services/billing/measure-posting.ts [records] [users] [records per
 * message]`.
 */
const [count = 50_000, users = 500, perMessage = 20] = process.argv.slice(2).map(Number);

const backings = await startLocalBacking();
const urls = withNamespace(toBackingUrls(backings), "measure");
const log = createLogger("measure", "warn");
const connection = await connectMongo(urls.mongodbUrl);
const collections = createCollections(connection);
await migrate(connection, collections);
const redis = connectRedis({ url: urls.redisUrl, namespace: urls.namespace, log, commandTimeoutMs: 5_000 });
await waitForRedis(redis, 3_000);
const nats = await connectNats({ url: urls.natsUrl, name: "measure", log });
const bus = createBus({ nats, source: "measure", namespace: urls.namespace, log });
const work = getUsageStream(urls.namespace);
const manager = await getStreamManager(nats);
await ensureWorkStream(nats, work);

const signer = createUsageSigner("a secret of the measurement");
const models = ["gpt-4o", "gpt-4o-mini", "claude-sonnet-4", "gemini-2.5-pro", "o3"];
const publish = createRecordPublisher({ nats, namespace: urls.namespace, signer });
const records = Array.from({ length: count }, () => {
  const userId = randomInt(1, users + 1);
  return usage({
    userId,
    tokenId: userId,
    modelName: models[randomInt(models.length)] ?? "",
    channelId: randomInt(1, 20),
    quota: randomInt(1, 5_000),
    other: JSON.stringify({ model_ratio: 1.25, completion_ratio: 4, group_ratio: 1, frt: 312, cache_tokens: 0 }),
  });
});
for (let start = 0; start < count; start += perMessage * 100) {
  const wave = records.slice(start, start + perMessage * 100);
  await Promise.all(
    Array.from({ length: Math.ceil(wave.length / perMessage) }, (_, index) =>
      publish(wave.slice(index * perMessage, index * perMessage + perMessage)),
    ),
  );
}

const apply = createUsageApplier({
  poster: createUsagePoster({ connection, collections, isLogged: () => true, nowMs: Date.now }),
  balanceCache: createBalanceCache({ redis, collections, log }),
  tokenStatus: createTokenStatusUpdater({ collections, bus, nowSeconds: () => Math.floor(Date.now() / 1000) }),
  deadLetters: createDeadLetters({ collections, log }),
  log,
});
const consumer = createUsageConsumer({ nats, work, apply, signer, log });
const beganAtMs = performance.now();
const cpuBefore = process.cpuUsage();
/** CPU time of MongoDB so far, in seconds, where the system reports it (Linux). */
const mongodSeconds = (): number => {
  const pid = backings.found.mongodb.server?.process.pid();
  const path = `/proc/${pid ?? 0}/stat`;
  if (!existsSync(path)) return Number.NaN;
  const fields = readFileSync(path, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
};
const mongodBefore = mongodSeconds();
consumer.start();
for (;;) {
  const info = await manager.consumers.info(work.stream, work.consumer);
  if (info.num_pending === 0 && info.num_ack_pending === 0) break;
  await new Promise((resolve) => setTimeout(resolve, 50));
}
const seconds = (performance.now() - beganAtMs) / 1000;
const cpu = process.cpuUsage(cpuBefore);
const rows = await collections.logs.countDocuments();
console.log(`${rows} records of ${users} users in ${seconds.toFixed(2)} s: ${Math.round(rows / seconds)} a second`);
const ownSeconds = (cpu.user + cpu.system) / 1e6;
const ofMongod = mongodSeconds() - mongodBefore;
console.log(`processor time: billing ${ownSeconds.toFixed(2)} s, MongoDB ${ofMongod.toFixed(2)} s`);
await consumer.stop();
await nats.close();
redis.disconnect();
await connection.close();
await backings.dispose();
process.exit(rows === count ? 0 : 1);
