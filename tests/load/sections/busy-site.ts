import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type Rows, writeSqlite } from "../../lib/old-installs.ts";
import { type Bench, OTHER_CORES, RELAY_CORE, print } from "../bench.ts";
import { formatSpread, recordFigure } from "../figures.ts";
import { type LoadTarget, pinProcess, throughput, measureThroughput } from "../measure.ts";
import { percentile } from "../streams.ts";

const USERS = 1_000;
const CHANNELS = 200;
const MODEL = "gpt-4-busy";
const BALANCE = 1_000_000_000;
const CONNECTIONS = 64;
const ROUNDS = 3;

const getKey = (user: number): string => `busy${String(user).padStart(6, "0")}`.padEnd(48, "x");

/** Users with a token each, every second one with a request limit, and channels that serve one model. */
function busyRows(upstream: string): Rows {
  const ids = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
  return {
    users: ids(USERS).map((id) => ({
      id,
      username: `busy-${id}`,
      password: "",
      status: 1,
      role: 1,
      display_name: "",
      email: "",
      access_token: null,
      group: "default",
      quota: BALANCE,
      used_quota: 0,
      request_count: 0,
      aff_code: `busy${id}`,
      inviter_id: 0,
    })),
    tokens: ids(USERS).map((id) => ({
      id,
      user_id: id,
      key: getKey(id),
      status: 1,
      name: "busy",
      created_time: 1_700_000_000,
      accessed_time: 1_700_000_000,
      expired_time: -1,
      remain_quota: BALANCE,
      unlimited_quota: id % 2,
      used_quota: 0,
      rate_limit_enabled: id % 2,
      rate_limit_period: 60,
      rate_limit_count: 1_000_000,
      rate_limit_success: 1_000_000,
    })),
    channels: ids(CHANNELS).map((id) => ({
      id,
      type: 1,
      key: `busy-key-${id}`,
      status: 1,
      name: `busy ${id}`,
      weight: id % 5,
      created_time: 1_700_000_000,
      test_time: 0,
      response_time: 0,
      base_url: upstream,
      other: "",
      balance: 0,
      models: MODEL,
      group: "default",
      used_quota: 0,
      model_mapping: "",
      priority: 0,
      model_prefix: "",
    })),
    options: [{ key: "SystemName", value: "Turnpike" }],
  };
}

/** Imports the site as an operator would, and restarts the relay, so that its caches are cold. */
async function importSite({ world, relayPid }: Bench, upstream: string): Promise<void> {
  const path = join(world.dataFolder, "busy.db");
  writeSqlite(path, busyRows(upstream));
  const env = {
    ...process.env,
    MONGODB_URL: world.mongodbUrl,
    REDIS_URL: world.redisUrl,
    NATS_URL: world.natsUrl,
    NAMESPACE: world.namespace,
    MASTER_KEY: world.masterKey,
    DATA_DIR: world.dataFolder,
  };
  const script = resolve(import.meta.dirname, "../../../scripts/import/main.ts");
  await promisify(execFile)(process.execPath, [script, path, "--source", "busy"], { env });
  await world.restart("relay");
  pinProcess(relayPid(), RELAY_CORE);
}

/** Makes the first call of each user, which loads token, user and balance; returns how many calls a second that were. */
async function callOnce(target: LoadTarget, keys: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const waiting = [...keys];
  const callNext = async (): Promise<void> => {
    for (let key = waiting.pop(); key; key = waiting.pop()) {
      const headers = { ...target.headers, authorization: `Bearer ${key}` };
      const response = await fetch(target.url, { method: "POST", headers, body: target.body });
      if (!response.ok) throw new Error(`the first call of a user failed with ${response.status}`);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, callNext));
  return keys.length / ((performance.now() - startedAt) / 1_000);
}

/**
 * Non-streaming calls of a thousand users over two hundred channels, half of the tokens with limits, next to the calls
 * of one user and to the bare proxy; returns the number of failed responses.
 */
export async function measureBusySite(bench: Bench, seconds: number): Promise<number> {
  const bare = bench.target("bare proxy", "whole");
  const upstream = bench.target("upstream", "whole").url.replace(/\/v1\/.*$/, "");
  await importSite(bench, upstream);
  const one = bench.target("relay", "whole");
  const many = { ...one, body: one.body.replace(/"model":"[^"]+"/, `"model":"${MODEL}"`) };
  const keys = Array.from({ length: USERS }, (_, index) => `sk-${getKey(index + 1)}`);
  const options = { seconds, connections: CONNECTIONS, cores: OTHER_CORES };
  const runs = {
    "bare proxy": () => throughput(bare, options),
    "relay, one user": () => throughput(one, options),
    [`relay, ${USERS} users, ${CHANNELS} channels`]: () => measureThroughput(many, keys, options),
  };
  const rates = new Map<string, number[]>(Object.keys(runs).map((name) => [name, []]));
  let failed = 0;
  const firstCalls = await callOnce(many, keys);
  // The first round compiles code.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, run] of Object.entries(runs)) {
      const result = await run();
      failed += result.failed;
      if (round > 0) rates.get(name)?.push(result.perSecond);
    }
  }
  print(`\nnon-streaming calls, ${CONNECTIONS} connections, ${ROUNDS} rounds by turns`);
  print(`  first calls of ${USERS} users: ${firstCalls.toFixed(0)} /s`);
  const bareRates = rates.get("bare proxy") ?? [];
  for (const [name, values] of rates) {
    const ratios = values.map((rate, index) => rate / (bareRates[index] ?? rate));
    const [rate, shown] = [percentile(values, 0.5).toFixed(0), `${formatSpread(ratios)} of the bare proxy`];
    print(`  ${name.padEnd(34)} ${rate.padStart(6)} /s   ${shown}`);
    if (name !== "bare proxy") recordFigure(`non-streaming calls: ${name}`, `${rate} /s: ${shown}`);
  }
  return failed;
}
