import { createConnection } from "mongoose";
import { createStops, repeat, pause, type Rehearsal, type RehearsalContext } from "./rehearsal.ts";

const stalls = createStops();
const DUE_SINCE_MS = 3_600_000;

/** Runs a command directly on the database, bypassing the services. */
async function inDatabase(
  { world }: RehearsalContext,
  run: (db: NonNullable<Awaited<ReturnType<typeof connect>>["db"]>) => Promise<unknown>,
): Promise<void> {
  const connection = await connect(world.mongodbUrl);
  try {
    if (connection.db) await run(connection.db);
  } finally {
    await connection.close();
  }
}
const connect = (url: string) => createConnection(url).asPromise();

/** Suspends a process for most of each half second. */
async function stall(pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP");
  try {
    await pause(400);
  } finally {
    process.kill(pid, "SIGCONT");
  }
}

const addCredits = (context: RehearsalContext, amount: number): Promise<void> =>
  inDatabase(context, async (db) => {
    const [account] = await db.collection("accounts").find().sort({ _id: 1 }).limit(1).toArray();
    if (account) await db.collection("accounts").updateOne({ _id: account["_id"] }, { $inc: { credits: amount } });
  });

const LOSS = "a loss";
const DAY_SECONDS = 86_400;

/** Calls of today whose cost is twice what was charged. */
function makeLoss() {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const day = nowSeconds - (nowSeconds % DAY_SECONDS);
  const place = { channelId: 77, channelName: "dear", group: "default", modelName: "dear-model" };
  return { _id: LOSS, day, ...place, count: 1, quota: 1_000, costCount: 1, costQuota: 1_000, cost: 2_000 };
}

const FAILED_REPORT = "9000077:rehearsal";

/** A day of yesterday whose provider's report failed repeatedly. */
function makeFailedReport() {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const day = nowSeconds - (nowSeconds % DAY_SECONDS) - DAY_SECONDS;
  const figures = {
    calls: 0,
    estimatedCalls: 0,
    tokens: 0,
    reportedTokens: 0,
    cost: 0,
    reportedCost: 0,
    differences: [],
  };
  return {
    _id: FAILED_REPORT,
    channelId: 9_000_077,
    day,
    checkedAtMs: 0,
    failures: 5,
    nextTryAtMs: 0,
    problem: "HTTP 503",
    ...figures,
  };
}

async function restartOften({ world }: RehearsalContext): Promise<void> {
  for (let start = 0; start < 4; start++) {
    await world.restart("messaging");
    // Long enough for one scrape.
    await pause(1_100);
  }
}

/** Faults of single services and of their shared database. */
export const SERVICE_FAULTS: readonly Rehearsal[] = [
  {
    act: 1,
    fault: "messaging does not respond",
    alerts: ["TurnpikeServiceDown"],
    inject: ({ world }) => world.suspend("messaging"),
    clear: ({ world }) => world.resume("messaging"),
  },
  {
    act: 1,
    fault: "a balance is changed directly in the database",
    alerts: ["TurnpikeLedgerDifference"],
    inject: (context) => addCredits(context, 7),
    clear: (context) => addCredits(context, -7),
  },
  {
    act: 1,
    fault: "calls of a day are charged less than they cost",
    alerts: ["TurnpikeSoldBelowCost"],
    inject: (context) =>
      inDatabase(context, (db) => db.collection<{ _id: string }>("margin_days").insertOne(makeLoss())),
    clear: (context) =>
      inDatabase(context, (db) => db.collection<{ _id: string }>("margin_days").deleteOne({ _id: LOSS })),
  },
  {
    act: 1,
    fault: "a provider's cost report cannot be fetched",
    alerts: ["TurnpikeProviderReports"],
    inject: (context) =>
      inDatabase(context, (db) => db.collection<{ _id: string }>("provider_reports").insertOne(makeFailedReport())),
    clear: (context) =>
      inDatabase(context, (db) => db.collection<{ _id: string }>("provider_reports").deleteOne({ _id: FAILED_REPORT })),
  },
  {
    act: 1,
    fault: "the gateway freezes repeatedly",
    alerts: ["TurnpikeEventLoopSlow"],
    inject: async ({ world }) => {
      const pid = world.pid("gateway");
      if (pid !== undefined) stalls.add(repeat(() => stall(pid), 100));
    },
    clear: () => stalls.all(),
  },
  {
    act: 4,
    fault: "messaging restarts repeatedly",
    alerts: ["TurnpikeRestarts"],
    alsoAllowed: ["TurnpikeServiceDown"],
    inject: restartOften,
    clear: () => Promise.resolve(),
  },
  {
    act: 3,
    fault: "a certificate of messaging expires in ten days",
    alerts: ["TurnpikeCertificateExpires"],
    // The fault makes it start twice.
    alsoAllowed: ["TurnpikeServiceDown"],
    inject: async ({ world, certificates }) => {
      certificates.useShort();
      await world.restart("messaging");
    },
    clear: async ({ world, certificates }) => {
      certificates.useLong();
      await world.restart("messaging");
    },
  },
  {
    act: 7,
    fault: "the collection of deliveries cannot be written",
    alerts: ["TurnpikeDeliveriesStuck", "TurnpikeMongoFailing"],
    inject: (context) =>
      inDatabase(context, async (db) => {
        await db.collection("deliveries").rename("deliveries_aside", { dropTarget: true });
        const dueAt = new Date(Date.now() - DUE_SINCE_MS);
        const row = { kind: "mail", status: "queued", attempts: 1, leaseId: "", lastError: "", createdAt: dueAt };
        const id = { _id: "rehearsed" as never };
        await db.collection("deliveries_aside").insertOne({ ...id, ...row, dueAt, deadlineAt: new Date() });
        // A view can be read but not written.
        await db.createCollection("deliveries", { viewOn: "deliveries_aside", pipeline: [] });
      }),
    clear: (context) =>
      inDatabase(context, async (db) => {
        await db.collection("deliveries").drop();
        await db.collection("deliveries_aside").rename("deliveries");
      }),
  },
  {
    act: 7,
    fault: "billing is down while users work in the console",
    alerts: ["TurnpikeConsoleErrors"],
    alsoAllowed: ["TurnpikeServiceDown"],
    inject: async (context) => {
      await context.world.suspend("billing");
      stalls.add(repeat(() => context.testSite.logs(), 200));
    },
    clear: async ({ world }) => {
      await stalls.all();
      await world.resume("billing");
    },
  },
];
