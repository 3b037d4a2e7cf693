import { connectMongo } from "@turnpike/shared/mongo/mongo";
import type { AccountDoc } from "../../services/billing/src/store/account-documents.ts";
import type { LogDoc } from "../../services/billing/src/store/usage-documents.ts";
import type { FakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { ledgerCheck } from "../lib/ledger-check.ts";
import { isSettled } from "../lib/settled.ts";
import type { TestSite } from "../lib/test-site.ts";
import type { World } from "../lib/world.ts";
import type { CallResult } from "./calls.ts";

/** How long holds of a dead relay may stay open: heartbeat, timeout of the janitor, posting. */
export const RECOVERY_MS = 90_000;

/** A running system with a channel to an upstream, and a user whose calls are checked. */
export type FaultContext = {
  readonly world: World;
  readonly upstream: FakeUpstream;
  readonly testSite: TestSite;
  readonly key: string;
  readonly userId: number;
  /** More users who call. */
  readonly others?: readonly { readonly key: string; readonly userId: number }[];
};

/** Users with a balance and a token of their own. */
export const addPayers = (testSite: TestSite, count: number): Promise<NonNullable<FaultContext["others"]>> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const user = await testSite.createUser(1_000_000_000);
      const { key } = await testSite.token({}, user.client);
      return { key, userId: user.id };
    }),
  );

export const print = (line: string): void => void process.stdout.write(`${line}\n`);
export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

type Before = { readonly rows: Map<string, number>; readonly quota: number };

/** All posted calls so far (request id → quota), and the sum of the users' balances, as MongoDB has them. */
export async function look({ world, userId, others = [] }: FaultContext): Promise<Before> {
  const connection = await connectMongo(world.mongodbUrl);
  try {
    const rows = new Map<string, number>();
    const logs = connection.collection<LogDoc>("logs").find({ type: 2 }, { projection: { requestId: 1, quota: 1 } });
    for await (const { requestId = "", quota } of logs) {
      if (rows.has(requestId)) throw new Error(`two log rows for the call ${requestId}`);
      rows.set(requestId, quota);
    }
    const users = [userId, ...others.map((other) => other.userId)];
    const accounts = await connection
      .collection<AccountDoc>("accounts")
      .find({ _id: { $in: users } })
      .toArray();
    return { rows, quota: sum(accounts.map(({ credits, spent }) => credits - spent)) };
  } finally {
    await connection.close();
  }
}

/** The same, once the usage of earlier calls is posted. */
export async function lookWhenSettled(context: FaultContext): Promise<Before> {
  const { testSite, world } = context;
  await testSite.eventually(
    "the posting of earlier calls",
    RECOVERY_MS,
    async () => (await isSettled(world)) || undefined,
  );
  return look(context);
}

/** Waits until all usage is posted, then compares clients, log, balance and ledger. */
export async function mustAgree(
  context: FaultContext,
  before: Before,
  results: readonly CallResult[],
): Promise<string> {
  const served = results.filter(({ outcome }) => outcome === "served");
  let left = "";
  const { rows, quota } = await context.testSite
    .eventually("the posting of all calls", RECOVERY_MS, async () => {
      const isDone = await isSettled(context.world);
      const now = await look(context).catch(() => undefined);
      const missing = served.filter(({ requestId }) => now?.rows.has(requestId) !== true);
      left = `${missing.length} served calls are not posted, such as ${missing[0]?.requestId}; ${isDone ? "no" : "some"} holds are open`;
      return now && isDone && missing.length === 0 ? now : undefined;
    })
    .catch((error: Error) => {
      throw new Error(`${error.message}: ${left}`);
    });
  const problem = results.find((result) => result.problem !== undefined)?.problem;
  if (problem !== undefined) throw new Error(problem);
  const fresh = [...rows].filter(([id]) => !before.rows.has(id));
  const known = new Set(results.map(({ requestId }) => requestId));
  const unknown = fresh.filter(([id]) => !known.has(id));
  // Of a call whose client got no response only the number is known.
  const lost = sum(results.map((result) => result.lost + (result.requestId === "" ? 1 : 0)));
  if (unknown.length > lost)
    throw new Error(
      `${unknown.length} calls are charged that no client knows, such as ${unknown[0]?.[0]}; ${lost} may be`,
    );
  const wrong = served.filter((call) => rows.get(call.requestId) !== call.quota);
  if (wrong.length > 0)
    throw new Error(
      `${wrong.length} calls are charged wrongly, such as ${wrong[0]?.requestId}: ${rows.get(wrong[0]?.requestId ?? "")}`,
    );
  const charged = sum(fresh.map(([, cost]) => cost));
  if (before.quota - quota !== charged)
    throw new Error(`the balance fell by ${before.quota - quota}, the log has ${charged}`);
  // A call with a key may be refused and served later, under the same request id.
  const servedIds = new Set(served.map(({ requestId }) => requestId));
  const refused = results.filter(
    ({ outcome, requestId }) => outcome === "refused" && rows.has(requestId) && !servedIds.has(requestId),
  );
  if (refused.length > 0)
    throw new Error(`${refused.length} refused calls are charged, such as ${refused[0]?.requestId}`);
  const cut = results.filter(({ outcome, requestId }) => outcome === "cut" && requestId !== "");
  const free = cut.filter(({ requestId }) => (rows.get(requestId) ?? 0) === 0);
  if (free.length > 0)
    throw new Error(`${free.length} responses that had begun are free, such as ${free[0]?.requestId}`);
  await ledgerCheck(context.world);
  const others = results.length - served.length;
  return `${served.length} served and charged to the unit, ${others} not served, ${fresh.length - servedIds.size} settled at their hold or at the part produced`;
}
