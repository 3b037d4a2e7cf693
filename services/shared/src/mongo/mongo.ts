import { type ClientSession, type Connection, createConnection, mongo } from "mongoose";
import { observeMongo } from "../telemetry/backing-metrics.ts";

/** A write that a majority does not have by then is reported as failed; it may still come about. */
const WRITE_TIMEOUT_MS = 10_000;

/**
 * Connects with a timeout for every step, so that a stopped MongoDB fails calls instead of hanging them. Reads and writes
 * what a majority of the replica set has: nothing that was acknowledged is rolled back when a primary is lost, whatever
 * the URL contains. `appName` is the name under which the server lists the connection.
 */
export async function connectMongo(url: string, options: { appName?: string } = {}): Promise<Connection> {
  const connection = createConnection(url, {
    ...options,
    autoIndex: false,
    monitorCommands: true,
    bufferCommands: false,
    serverSelectionTimeoutMS: 3_000,
    connectTimeoutMS: 3_000,
    socketTimeoutMS: 30_000,
    maxPoolSize: 20,
    readConcern: { level: "majority" },
    writeConcern: { w: "majority", wtimeoutMS: WRITE_TIMEOUT_MS },
    readPreference: "primary",
  });
  // A failed topology emits "error"; without a listener it would end the process, although the driver reconnects by
  // itself.
  connection.on("error", () => undefined);
  const ready = await connection.asPromise();
  observeMongo(ready);
  return ready;
}

const PING_TIMEOUT_MS = 1_500;

/** A readiness check: true when the server responds in time. */
export const isMongoReady = async (connection: Connection): Promise<boolean> =>
  (await connection.db?.command({ ping: 1 }, { timeoutMS: PING_TIMEOUT_MS })) !== undefined;

/** True when a unique index refused a write. */
export const isDuplicateKey = (error: unknown): boolean =>
  error instanceof mongo.MongoServerError && error.code === 11_000;

/**
 * MongoDB's codes for transient failures: time limit exceeded, no majority in time, shutdown, no primary, or a cursor or transaction
 * lost with one.
 */
const PASSING_CODES = new Set<unknown>([
  43, 50, 64, 89, 91, 112, 189, 246, 251, 262, 10_107, 11_600, 11_602, 13_435, 13_436,
]);
const PASSING_LABELS = ["RetryableWriteError", "TransientTransactionError", "UnknownTransactionCommitResult"];

/** True for transient failures of the server or the network, false for invalid input and bugs. */
export const isMongoUnavailable = (error: unknown): boolean =>
  error instanceof mongo.MongoNetworkError ||
  error instanceof mongo.MongoServerSelectionError ||
  error instanceof mongo.MongoNotConnectedError ||
  error instanceof mongo.MongoTopologyClosedError ||
  error instanceof mongo.MongoExpiredSessionError ||
  (error instanceof mongo.MongoError && PASSING_LABELS.some((label) => error.hasErrorLabel(label))) ||
  (error instanceof mongo.MongoServerError && PASSING_CODES.has(error.code));

/** The reads of a session with `snapshot: true`: without it they would inherit the connection's read concern. */
export const IN_SNAPSHOT = { readConcern: { level: "snapshot" } } as const;

const databases = new WeakMap<ClientSession, mongo.Db>();

/** A session that knows its database; the caller that begins it ends it. */
export async function beginSession(connection: Connection): Promise<ClientSession> {
  const session = await connection.startSession();
  if (connection.db) databases.set(session, connection.db);
  return session;
}

/** The database of a session that `beginSession` or `inTransaction` began, for commands without a driver method. */
export function getDatabase(session: ClientSession): mongo.Db {
  const database = databases.get(session);
  if (!database) throw new Error("the session has no database: begin it with beginSession");
  return database;
}

/** Runs writes in one transaction; the driver retries it on a write conflict. */
export async function inTransaction<Result>(
  connection: Connection,
  run: (session: ClientSession) => Promise<Result>,
): Promise<Result> {
  const session = await beginSession(connection);
  try {
    return await session.withTransaction(() => run(session), {
      writeConcern: { w: "majority" },
      maxCommitTimeMS: 10_000,
    });
  } finally {
    await session.endSession();
  }
}

type CounterDoc = { _id: string; value: number };

/**
 * Reserves `count` numbers of an increasing series and returns the first; a caller that fails afterwards leaves a gap.
 */
export async function allocateIds(connection: Connection, series: string, count = 1): Promise<number> {
  const counter = await connection
    .collection<CounterDoc>("counters")
    .findOneAndUpdate(
      { _id: series },
      { $inc: { value: count } },
      { upsert: true, returnDocument: "after", maxTimeMS: 5_000 },
    );
  if (!counter) throw new Error(`no counter ${series}`);
  return counter.value - count + 1;
}
