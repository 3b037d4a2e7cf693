import { randomInt } from "node:crypto";
import { connectMongo } from "@turnpike/shared/mongo/mongo";
import { ANY_LOG } from "../../../services/billing/src/logs/log-filter.ts";
import { createLogReader } from "../../../services/billing/src/logs/log-reader.ts";
import { toUsageRow } from "../../../services/billing/src/logs/log-row.ts";
import { createLogStatistics } from "../../../services/billing/src/logs/log-statistics.ts";
import { createLogState } from "../../../services/billing/src/logs/log-state.ts";
import { migrate } from "../../../services/billing/src/migrate.ts";
import { createCollections } from "../../../services/billing/src/store/collections.ts";
import { totalUsage } from "../../../services/billing/src/usage/usage-totals.ts";
import { withNamespace, toBackingUrls } from "../../lib/backing/backing-urls.ts";
import { startLocalBacking } from "../../lib/backing/local-backing.ts";
import { usage } from "./usage-records.ts";

/**
 * Measures pages and sums of a usage log of many rows, spread over thirty days.
 * Run it with node: `node tests/services/billing/measure-log.ts [rows]`.
 */
const [count = 1_000_000] = process.argv.slice(2).map(Number);
const CHUNK = 20_000;
const DAY_SECONDS = 86_400;
const DAYS = 30;

const backings = await startLocalBacking();
const connection = await connectMongo(withNamespace(toBackingUrls(backings), "measure").mongodbUrl);
const collections = createCollections(connection);
await migrate(connection, collections);
const now = Math.floor(Date.now() / 1000);

for (let start = 0; start < count; start += CHUNK) {
  const records = Array.from({ length: Math.min(CHUNK, count - start) }, (_, index) => {
    const userId = randomInt(1, 1_001);
    return usage({
      userId,
      tokenId: userId,
      tokenName: `token${userId % 50}`,
      modelName: `model-${userId % 5}-${randomInt(4)}`,
      channelId: randomInt(1, 50),
      quota: 7,
      createdAtSeconds: now - DAYS * DAY_SECONDS + Math.floor(((start + index) / count) * DAYS * DAY_SECONDS),
    });
  });
  const rows = records.map((record, index) => toUsageRow(record, start + index + 1));
  await collections.logs.insertMany(rows, { ordered: false });
  const { siteRollups, rollups } = totalUsage(records);
  const add = <Row extends { id: string }>(row: Row) => {
    const { id, ...rest } = row;
    const { quota, count: calls, promptTokens, completionTokens, ...fixed } = rest as Row & Record<string, number>;
    const update = { $inc: { quota, count: calls, promptTokens, completionTokens }, $setOnInsert: fixed };
    return { updateOne: { filter: { _id: id }, update, upsert: true } };
  };
  await collections.siteRollups.bulkWrite(siteRollups.map(add) as never, { ordered: false });
  await collections.rollups.bulkWrite(rollups.map(add) as never, { ordered: false });
}

const state = createLogState(collections);
const list = createLogReader({ collections, state, nowSeconds: () => now });
const stat = createLogStatistics({ collections, state, nowSeconds: () => now });
const time = async (what: string, run: () => Promise<unknown>): Promise<void> => {
  await run();
  const beganAtMs = performance.now();
  await run();
  console.log(`${what.padEnd(48)} ${(performance.now() - beganAtMs).toFixed(0)} ms`);
};
const week = { startSeconds: now - 7 * DAY_SECONDS + 1_234, endSeconds: now + 3_600 };
const page = { skip: 0, limit: 100 };
await time("page of everything", () => list(ANY_LOG, page));
await time("page of a week", () => list({ ...ANY_LOG, ...week }, page));
await time("page of one user", () => list({ ...ANY_LOG, userId: 5 }, page));
await time("page of a model in a week", () => list({ ...ANY_LOG, ...week, modelName: "model-1-1" }, page));
await time("page of a token's name and a channel", () => list({ ...ANY_LOG, tokenName: "token7", channel: 9 }, page));
await time("page 500", () => list(ANY_LOG, { skip: 49_900, limit: 100 }));
await time("sums of everything", () => stat(ANY_LOG));
await time("sums of a week", () => stat({ ...ANY_LOG, ...week }));
await time("sums of one user in a week", () => stat({ ...ANY_LOG, ...week, userId: 5 }));
await time("sums of models by a pattern", () => stat({ ...ANY_LOG, modelName: "%-1-%" }));
await time("sums of a token's name in a week (rows)", () => stat({ ...ANY_LOG, ...week, tokenName: "token7" }));
await time("sums of a channel (rows)", () => stat({ ...ANY_LOG, channel: 9 }));
await connection.close();
await backings.dispose();
process.exit(0);
