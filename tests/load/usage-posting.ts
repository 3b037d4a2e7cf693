import { loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { LOG_TYPE } from "@turnpike/contract/codes";
import { createUsageSigner } from "@turnpike/shared/crypto/usage-signature";
import { connectNats } from "@turnpike/shared/events/bus";
import { newRequestId } from "@turnpike/shared/telemetry/request-id";
import { createLogger } from "@turnpike/shared/log/log";
import { connectMongo } from "@turnpike/shared/mongo/mongo";
import type { LogDoc } from "../../services/billing/src/store/usage-documents.ts";
import { createRecordPublisher } from "../../services/billing/src/usage-stream/record-publisher.ts";
import type { World } from "../lib/world.ts";
import { usage } from "../services/billing/usage-records.ts";

const RECORDS_A_MESSAGE = 50;
const TICK_MS = 100;
const POSTING_MS = 15_000;

/** Users, tokens, channels and models of a log. */
export type Facts = {
  readonly users: { id: number; username: string; tokens: string[] }[];
  readonly models: string[];
  /** A random sample of rows: who calls which model how often. */
  readonly sample: readonly LogDoc[];
  readonly total: number;
};

export const pick = <Entry>(entries: readonly Entry[]): Entry =>
  entries[Math.floor(Math.random() * entries.length)] as Entry;

const postedSoFar = async (world: World): Promise<number> =>
  Number(
    /^turnpike_billing_usage_records_total\{outcome="posted"\} (\d+)/m.exec(await world.metrics("billing"))?.[1] ?? 0,
  );

/** A new call, similar to one in the log. */
function callLike(row: LogDoc) {
  const { _id, createdAt: _at, channel: channelId, useTime: useTimeSeconds, requestId: _, type, ...same } = row;
  const now = { requestId: newRequestId(), createdAtSeconds: Math.floor(Date.now() / 1000) };
  return usage({ ...same, type: type === LOG_TYPE.error ? type : LOG_TYPE.consume, channelId, useTimeSeconds, ...now });
}

/** Publishes records to the usage stream at a steady rate, and measures how many are posted per second. */
export async function startPosting(world: World, { sample }: Facts, rate: number) {
  const nats = await connectNats({ url: world.natsUrl, name: "load", log: createLogger("load", "silent") });
  const publish = createRecordPublisher({
    nats,
    namespace: world.namespace,
    signer: createUsageSigner(world.secrets.internalSecret),
  });
  let stopped = false;
  let sent = 0;
  const beganAtMs = Date.now();
  const message = () => Array.from({ length: RECORDS_A_MESSAGE }, () => callLike(pick(sample)));
  const running = (async () => {
    while (!stopped) {
      const due = Math.floor(((Date.now() - beganAtMs) / 1000) * rate) - sent;
      const messages = Math.floor(due / RECORDS_A_MESSAGE);
      await Promise.all(Array.from({ length: messages }, () => publish(message())));
      sent += messages * RECORDS_A_MESSAGE;
      await pause(TICK_MS);
    }
  })();
  const postedBefore = await postedSoFar(world);
  return {
    async stop(): Promise<string> {
      const [postedRecords, seconds] = [(await postedSoFar(world)) - postedBefore, (Date.now() - beganAtMs) / 1000];
      const [postedRate, sentRate] = [postedRecords / seconds, sent / seconds];
      const behindSeconds = (sent - postedRecords) / sentRate;
      stopped = true;
      await running;
      await nats.close();
      return `${Math.round(postedRate)} records a second were posted of ${Math.round(sentRate)} sent, ${behindSeconds.toFixed(1)} s behind at the end`;
    },
  };
}

/** Processor time so far, in seconds, of billing and of MongoDB. */
async function processorSeconds(world: World) {
  const connection = await connectMongo(world.mongodbUrl);
  const status = await connection.db?.admin().serverStatus();
  await connection.close();
  const used = (status?.["extra_info"] ?? {}) as Record<string, number>;
  const own = /^(?:turnpike_billing_)?process_cpu_seconds_total ([\d.]+)/m.exec(await world.metrics("billing"))?.[1];
  return {
    billing: Number(own ?? Number.NaN),
    mongodb: ((used["user_time_us"] ?? Number.NaN) + (used["system_time_us"] ?? 0)) / 1e6,
  };
}

/** Usage posting without other load for some seconds: posts per second and the cost of each, as readable lines. */
export async function measurePosting(world: World, facts: Facts, rate: number): Promise<string[]> {
  const [before, rowsBefore] = [await processorSeconds(world), await postedSoFar(world)];
  const posting = await startPosting(world, facts, rate);
  await pause(POSTING_MS);
  const outcome = await posting.stop();
  let rows = await postedSoFar(world);
  for (let last = -1; rows !== last; rows = await postedSoFar(world)) {
    last = rows;
    await pause(1_000);
  }
  const after = await processorSeconds(world);
  const each = (seconds: number): string => `${Math.round((seconds * 1e6) / (rows - rowsBefore))} µs`;
  return [
    `posting without other load: ${outcome}`,
    `processor time per record: billing ${each(after.billing - before.billing)}, MongoDB ${each(after.mongodb - before.mongodb)}; load ${loadavg()[0]?.toFixed(1)}`,
  ];
}
