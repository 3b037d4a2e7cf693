/**
 * The usage log with many rows, through the console's API: each page, filter, sum and search while billing posts calls,
 * then the deletion of a tenth of it during calls. LOG_ROWS rows are seeded (10 000 000 by default) on servers of its
 * own, or the existing data at MONGODB_URL, REDIS_URL and NATS_URL with MASTER_KEY is measured. LOG_RATE is how many
 * records per second are posted. LOG_ONLY, a pattern of their titles, selects some of the queries; nothing is deleted
 * then.
 */
import { spawn } from "node:child_process";
import { loadavg } from "node:os";
import { resolve } from "node:path";
import { connectMongo } from "@turnpike/shared/mongo/mongo";
import type { LogDoc } from "../../services/billing/src/store/usage-documents.ts";
import { createCollections } from "../../services/billing/src/store/collections.ts";
import { GROUP_RATIOS, SEED_CHANNELS } from "../../scripts/seed/cast.ts";
import type { ConsoleClient } from "../lib/console-client.ts";
import { startWorld, type World } from "../lib/world.ts";
import { type Facts, measurePosting, pick, startPosting } from "./usage-posting.ts";

const ROWS = Number(process.env["LOG_ROWS"] ?? 10_000_000);
const RATE = Number(process.env["LOG_RATE"] ?? 5_000);
const ROUNDS = Number(process.env["LOG_ROUNDS"] ?? 30);
const ONLY = process.env["LOG_ONLY"];
const TITLES = new RegExp(ONLY ?? "");
const BAR_MS = 300;
const SAMPLE_ROWS = 5_000;
const DAY_SECONDS = 86_400;
const PASSWORD = "turnpike-seed-1";

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

function ownServers() {
  const { MONGODB_URL: mongodbUrl, REDIS_URL: redisUrl, NATS_URL: natsUrl, MASTER_KEY: masterKey } = process.env;
  if (!mongodbUrl || !redisUrl || !natsUrl || !masterKey) return {};
  return { masterKey, backing: { mongodbUrl, redisUrl, natsUrl, namespace: process.env["NAMESPACE"] ?? "logs" } };
}

async function seed(world: World): Promise<void> {
  const script = resolve(import.meta.dirname, "../../scripts/seed/main.ts");
  const env = { ...process.env, MONGODB_URL: world.mongodbUrl, MASTER_KEY: world.masterKey };
  const args = [script, "--rows", String(ROWS), "--password", PASSWORD];
  const child = spawn(process.execPath, args, { env, stdio: "inherit" });
  const code = await new Promise((done) => child.once("exit", done));
  if (code !== 0) throw new Error("the log could not be seeded");
}

/** Users, tokens, channels and models in the log, from the tallies. */
async function readDetails(world: World): Promise<Facts> {
  const connection = await connectMongo(world.mongodbUrl);
  const { tokens, logTallies, logs } = createCollections(connection);
  const counted = await logTallies
    .aggregate<{ _id: { userId: number; username: string } }>([
      { $match: { dim: "u", username: /^seed/ } },
      { $group: { _id: { userId: "$userId", username: "$username" } } },
    ])
    .toArray();
  const names = new Map<number, string[]>();
  for (const { userId, name } of await tokens.find({ deletedAt: 0 }, { projection: { userId: 1, name: 1 } }).toArray())
    names.set(userId, [...(names.get(userId) ?? []), name]);
  const facts = {
    users: counted.map(({ _id }) => ({
      id: _id.userId,
      username: _id.username,
      tokens: names.get(_id.userId) ?? ["default"],
    })),
    models: (await logTallies.distinct("value", { dim: "m" })) as string[],
    sample: (await logs.aggregate<LogDoc>([{ $sample: { size: SAMPLE_ROWS } }]).toArray()).filter(
      ({ channel }) => channel > 0,
    ),
    total: await logs.estimatedDocumentCount(),
  };
  await connection.close();
  return facts;
}

type Query = {
  readonly title: string;
  readonly path: string;
  readonly query: () => Record<string, string | number>;
  readonly asUser?: true;
};

function getQueries({ users, models, total }: Facts): Query[] {
  const now = Math.floor(Date.now() / 1000);
  const page = { p: 1, page_size: 100 };
  const range = (days: number) => {
    const end = now - Math.floor(Math.random() * 20 * DAY_SECONDS);
    return { start_timestamp: end - days * DAY_SECONDS, end_timestamp: end };
  };
  const list = (title: string, query: Query["query"]): Query => ({
    title,
    path: "/api/log/",
    query: () => ({ ...page, ...query() }),
  });
  const own = (title: string, query: Query["query"]): Query => ({
    title,
    path: "/api/log/self",
    query: () => ({ ...page, ...query() }),
    asUser: true,
  });
  const stat = (title: string, query: Query["query"]): Query => ({ title, path: "/api/log/stat", query });
  const deep = (rows: number) => ({ p: 1 + Math.floor((Math.random() * rows) / 100) });
  const user = () => pick(users);
  const groups = Object.keys(GROUP_RATIOS);
  return [
    list("first page", () => ({})),
    list("any page of all", () => deep(total)),
    list("last page of all", () => ({ p: Math.ceil(total / 100) })),
    list("type error", () => ({ type: 6 })),
    list("type consumption, any page", () => ({ type: 2, ...deep(total * 0.95) })),
    list("username", () => ({ username: user().username })),
    list("username, page 50", () => ({ username: users[0]?.username ?? "", p: 50 })),
    list("token_name", () => ({ token_name: pick(user().tokens) })),
    list("token_name, page 2000", () => ({ token_name: "default", p: 2_000 })),
    list("model_name", () => ({ model_name: pick(models) })),
    list("model_name pattern, page 300", () => ({ model_name: "%gpt%", p: 300 })),
    list("channel", () => ({ channel: pick(SEED_CHANNELS).id })),
    list("channel, page 1000", () => ({ channel: SEED_CHANNELS[0]?.id ?? 0, p: 1_000 })),
    list("group", () => ({ group: pick(groups) })),
    list("range of 7 days, any page", () => ({ ...range(7), ...deep(total * 0.1) })),
    list("username + model + range", () => ({ username: user().username, model_name: pick(models), ...range(7) })),
    list("username + token_name", () => {
      const who = user();
      return { username: who.username, token_name: pick(who.tokens) };
    }),
    list("username + channel", () => ({ username: user().username, channel: pick(SEED_CHANNELS).id })),
    list("username + group", () => ({ username: user().username, group: pick(groups) })),
    list("username + token_name + model", () => {
      const who = user();
      return { username: who.username, token_name: pick(who.tokens), model_name: pick(models) };
    }),
    list("token_name + model", () => ({ token_name: pick(user().tokens), model_name: pick(models) })),
    list("token_name + channel", () => ({ token_name: pick(user().tokens), channel: pick(SEED_CHANNELS).id })),
    list("token_name + group + range", () => ({ token_name: pick(user().tokens), group: pick(groups), ...range(7) })),
    list("channel + model", () => ({ channel: pick(SEED_CHANNELS).id, model_name: pick(models) })),
    list("channel + model, any page", () => ({
      channel: pick(SEED_CHANNELS).id,
      model_name: "gpt-4o",
      ...deep(10_000),
    })),
    list("group + type error", () => ({ group: pick(groups), type: 6 })),
    list("channel + group + range", () => ({ channel: pick(SEED_CHANNELS).id, group: pick(groups), ...range(3) })),
    own("own, first page", () => ({})),
    own("own, page 20", () => ({ p: 20 })),
    own("own, model", () => ({ model_name: pick(models) })),
    own("own, range", () => range(7)),
    stat("stat of all", () => ({})),
    stat("stat of a range", () => range(7)),
    stat("stat of a user in a range", () => ({ username: user().username, ...range(7) })),
    stat("stat of a model", () => ({ model_name: pick(models) })),
    stat("stat of a channel in a range", () => ({ channel: pick(SEED_CHANNELS).id, ...range(7) })),
    stat("stat of a token_name", () => ({ token_name: "default" })),
    stat("stat of a group", () => ({ group: pick(groups) })),
    stat("stat of a channel + model", () => ({ channel: pick(SEED_CHANNELS).id, model_name: pick(models) })),
    { title: "own stat", path: "/api/log/self/stat", query: () => ({}), asUser: true },
    { title: "dashboard, 7 days", path: "/api/data/", query: () => range(7) },
    { title: "dashboard, 30 days", path: "/api/data/", query: () => range(30) },
    { title: "dashboard of a user", path: "/api/data/", query: () => ({ username: user().username, ...range(30) }) },
    { title: "overview, 30 days", path: "/api/data/overview", query: () => range(30) },
    { title: "own dashboard", path: "/api/data/self", query: () => range(7), asUser: true },
    {
      title: "search",
      path: "/api/log/search",
      query: () => ({ keyword: pick(["6", "upstream returned 429", "matches nothing"]) }),
    },
    // No tallies exist for these queries: they read every row, and slow down whatever is measured after them.
    stat("stat of a token_name + channel", () => ({
      token_name: pick(user().tokens),
      channel: pick(SEED_CHANNELS).id,
    })),
    stat("stat of a user + channel", () => ({ username: user().username, channel: pick(SEED_CHANNELS).id })),
  ];
}

async function measure(query: Query, client: ConsoleClient, rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const beganAtMs = performance.now();
    const response = await client.call("GET", query.path, { query: query.query() });
    if (!response.success) print(`FAILED ${query.title}: ${response.status} ${response.text.slice(0, 200)}`);
    // The first run includes one-time work. A query that fails never ends.
    if (round > 0) times.push(response.success ? performance.now() - beganAtMs : Number.POSITIVE_INFINITY);
  }
  return times.toSorted((a, b) => a - b);
}

async function clearTenth(world: World, root: ConsoleClient, { total }: Facts): Promise<void> {
  const page = { p: Math.ceil((total * 0.9) / 100), page_size: 100 };
  const { items } = await root.get<{ items: { created_at: number }[] }>("/api/log/", page);
  const before = items[0]?.created_at ?? 0;
  const beganAtMs = Date.now();
  const response = await root.call<number>("DELETE", "/api/log/", { query: { target_timestamp: before } });
  print(
    `deleting rows before ${before}: ${response.data} rows, responded after ${((Date.now() - beganAtMs) / 1000).toFixed(1)} s`,
  );
  const times = await measure(
    { title: "first page", path: "/api/log/", query: () => ({ p: 1, page_size: 100 }) },
    root,
    ROUNDS,
  );
  print(`first page during the deletion: p50 ${at(times, 0.5).toFixed(0)} ms, p95 ${at(times, 0.95).toFixed(0)} ms`);
}

async function main(): Promise<number> {
  const given = ownServers();
  const world = await startWorld({ logLevel: "warn", env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" }, ...given });
  let late = 0;
  try {
    if (!("backing" in given)) await seed(world);
    const facts = await readDetails(world);
    const root = await world.root();
    const user = world.visitor();
    await user.login(pick(facts.users.slice(0, 20)).username, PASSWORD);
    print(
      `${facts.total} rows, ${facts.users.length} users, ${facts.models.length} models; load of the machine ${loadavg()[0]?.toFixed(1)}`,
    );
    if (RATE > 0) for (const line of await measurePosting(world, facts, RATE)) print(line);
    const posting = RATE > 0 ? await startPosting(world, facts, RATE) : undefined;
    for (const query of getQueries(facts).filter(({ title }) => TITLES.test(title))) {
      const times = await measure(query, query.asUser ? user : root, ROUNDS);
      const p95 = at(times, 0.95);
      if (p95 > BAR_MS) late++;
      print(
        `${p95 > BAR_MS ? "LATE " : "ok   "} ${query.title.padEnd(32)} p50 ${at(times, 0.5).toFixed(0).padStart(5)} ms  p95 ${p95.toFixed(0).padStart(5)} ms  load ${loadavg()[0]?.toFixed(1)}`,
      );
    }
    if (posting) print(`during these queries ${await posting.stop()}`);
    if (ONLY === undefined) await clearTenth(world, root, facts);
    print(`load of the machine ${loadavg()[0]?.toFixed(1)}`);
  } finally {
    await world.stop();
  }
  print(late === 0 ? "every query is within its limit" : `${late} queries took more than ${BAR_MS} ms`);
  return late === 0 ? 0 : 1;
}

process.exit(await main());
