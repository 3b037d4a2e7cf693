import { LOG_TYPE } from "@turnpike/contract/codes";
import { beginSession } from "@turnpike/shared/mongo/mongo";
import mongoose from "mongoose";
import { createCollections } from "../../services/billing/src/store/collections.ts";
import { type ConsoleClient, createConsoleClient } from "../../tests/lib/console-client.ts";
import type { InstallPlace } from "../install-place.ts";
import { createHourPosting } from "../seed/hour-posting.ts";
import { createRandom } from "../seed/random.ts";
import { createTraffic, planHours } from "../seed/traffic.ts";
import { createUsers } from "../seed/users.ts";
import { createChannels, type DemoUpstreams } from "./channels.ts";
import { createOrders } from "./orders.ts";
import { DEMO_ADMIN, DEMO_PASSWORD, DEMO_USERS } from "./demo-users.ts";

const ROWS = 40_000;
const DAYS = 30;
const SEED = 7;
const HOUR_SECONDS = 3_600;
/** The welcome gift of a dollar. */
const GIFT = { kind: "gift", amount: 500_000, reason: "新用户注册赠送" };

type Demo = {
  readonly consoleUrl: string;
  readonly place: InstallPlace;
  readonly upstreams: DemoUpstreams;
  readonly report: (line: string) => void;
};

/** Users, tokens, a month of usage and the orders that paid for it, written as the services would have. */
async function fillMonth({ place, report }: Demo, channels: Awaited<ReturnType<typeof createChannels>>): Promise<void> {
  const connection = await mongoose.createConnection(place.mongodbUrl, { autoIndex: false }).asPromise();
  try {
    const collections = createCollections(connection);
    const random = createRandom(SEED);
    const hours = planHours(ROWS, DAYS, Math.floor(Date.now() / 1000));
    const from = (hours[0]?.hour ?? 0) - HOUR_SECONDS;
    const users = await createUsers(
      { connection, collections, masterKey: place.masterKey, random },
      { users: DEMO_USERS.length, names: DEMO_USERS, password: DEMO_PASSWORD, beganAtSeconds: from, credit: GIFT },
    );
    const traffic = createTraffic(users, random, channels);
    const session = await beginSession(connection);
    const posting = createHourPosting({ connection, collections, session });
    for (const { hour, rows } of hours) await posting.post(traffic(hour, rows));
    await posting.finish();
    await session.endSession();
    const calls = await collections.logs.countDocuments({ type: LOG_TYPE.consume });
    const orders = await createOrders({ connection, collections, random }, users, {
      from,
      to: hours.at(-1)?.hour ?? from,
    });
    report(`${users.length} users, ${calls} calls of ${DAYS} days, ${orders} orders`);
  } finally {
    await connection.close();
  }
}

/** A few calls through the relay, so that the newest rows have every detail of a real call. */
async function callModels({ consoleUrl }: Demo, key: string): Promise<void> {
  const models = ["gpt-4o-mini", "claude-sonnet-4-20250514", "gemini-2.5-flash", "deepseek-chat", "no-such-model"];
  for (const [index, model] of models.entries()) {
    const body = {
      model,
      stream: index % 2 === 0,
      messages: [{ role: "user", content: "Write a haiku about toll roads." }],
    };
    const response = await fetch(`${consoleUrl}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer sk-${key.replace(/^sk-/, "")}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    await response.arrayBuffer();
  }
}

async function createCodes(root: ConsoleClient): Promise<void> {
  await root.post("/api/redemption/", { name: "Spring campaign", quota: 2_500_000, count: 5 });
  await root.post("/api/redemption/", { name: "Welcome pack", quota: 500_000, is_gift: true, max_uses: 50, count: 1 });
}

/** Fills an empty install; returns false where channels exist already. */
export async function fillDemo(demo: Demo): Promise<boolean> {
  const root = createConsoleClient(demo.consoleUrl);
  await root.login(DEMO_ADMIN, DEMO_PASSWORD);
  if ((await root.get<unknown[]>("/api/channel/", { page_size: 1 })).length > 0) return false;
  await root.put("/api/option/", { key: "SystemName", value: "Turnpike demo" });
  const channels = await createChannels(root, demo.upstreams);
  demo.report(`${channels.length} channels behind scripted upstreams`);
  await fillMonth(demo, channels);
  await createCodes(root);
  const { key } = await root.post<{ key: string }>("/api/token/", {
    name: "My first token",
    expired_time: -1,
    remain_quota: 5_000_000,
    unlimited_quota: false,
  });
  await callModels(demo, key);
  return true;
}
