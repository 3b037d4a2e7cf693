import { createConnection } from "mongoose";
import { createStops, keepDoing, pause, type Rehearsal, type Scene } from "./scene.ts";

const stalls = createStops();
const DUE_SINCE_MS = 3_600_000;

/** Runs a command directly on the database, bypassing the services. */
async function inDatabase(
  { world }: Scene,
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

const addCredits = (scene: Scene, amount: number): Promise<void> =>
  inDatabase(scene, async (db) => {
    const [account] = await db.collection("accounts").find().sort({ _id: 1 }).limit(1).toArray();
    if (account) await db.collection("accounts").updateOne({ _id: account["_id"] }, { $inc: { credits: amount } });
  });

async function restartOften({ world }: Scene): Promise<void> {
  for (let start = 0; start < 4; start++) {
    await world.restart("messaging");
    // Long enough for one scrape.
    await pause(1_100);
  }
}

/** Faults of single services and of their shared database. */
export const SERVICE_TROUBLES: readonly Rehearsal[] = [
  {
    act: 1,
    trouble: "messaging does not answer",
    alerts: ["TurnpikeServiceDown"],
    make: ({ world }) => world.suspend("messaging"),
    end: ({ world }) => world.resume("messaging"),
  },
  {
    act: 1,
    trouble: "a hand in the database changes a balance",
    alerts: ["TurnpikeLedgerDifference"],
    make: (scene) => addCredits(scene, 7),
    end: (scene) => addCredits(scene, -7),
  },
  {
    act: 1,
    trouble: "the gateway stands still again and again",
    alerts: ["TurnpikeEventLoopSlow"],
    make: async ({ world }) => {
      const pid = world.pid("gateway");
      if (pid !== undefined) stalls.add(keepDoing(() => stall(pid), 100));
    },
    end: () => stalls.all(),
  },
  {
    act: 4,
    trouble: "messaging starts again and again",
    alerts: ["TurnpikeRestarts"],
    beside: ["TurnpikeServiceDown"],
    make: restartOften,
    end: () => Promise.resolve(),
  },
  {
    act: 3,
    trouble: "a certificate of messaging ends in ten days",
    alerts: ["TurnpikeCertificateExpires"],
    // The fault makes it start twice.
    beside: ["TurnpikeServiceDown"],
    make: async ({ world, certificates }) => {
      certificates.useShort();
      await world.restart("messaging");
    },
    end: async ({ world, certificates }) => {
      certificates.useLong();
      await world.restart("messaging");
    },
  },
  {
    act: 7,
    trouble: "the collection of deliveries cannot be written",
    alerts: ["TurnpikeDeliveriesStuck", "TurnpikeMongoFailing"],
    make: (scene) =>
      inDatabase(scene, async (db) => {
        await db.collection("deliveries").rename("deliveries_aside", { dropTarget: true });
        const dueAt = new Date(Date.now() - DUE_SINCE_MS);
        const row = { kind: "mail", status: "queued", attempts: 1, leaseId: "", lastError: "", createdAt: dueAt };
        const id = { _id: "rehearsed" as never };
        await db.collection("deliveries_aside").insertOne({ ...id, ...row, dueAt, deadlineAt: new Date() });
        // A view can be read but not written.
        await db.createCollection("deliveries", { viewOn: "deliveries_aside", pipeline: [] });
      }),
    end: (scene) =>
      inDatabase(scene, async (db) => {
        await db.collection("deliveries").drop();
        await db.collection("deliveries_aside").rename("deliveries");
      }),
  },
  {
    act: 7,
    trouble: "billing is away while people use the console",
    alerts: ["TurnpikeConsoleErrors"],
    beside: ["TurnpikeServiceDown"],
    make: async (scene) => {
      await scene.world.suspend("billing");
      stalls.add(keepDoing(() => scene.shop.logs(), 200));
    },
    end: async ({ world }) => {
      await stalls.all();
      await world.resume("billing");
    },
  },
];
