import { LOG_TYPE } from "@turnpike/contract/codes";
import { beginSession } from "@turnpike/shared/mongo/mongo";
import mongoose from "mongoose";
import { migrate } from "../../services/billing/src/migrate.ts";
import { type Collections, createCollections } from "../../services/billing/src/store/collections.ts";
import { INDEXES } from "../../services/billing/src/store/indexes.ts";
import { findInstallPlace } from "../install-place.ts";
import { SetupError } from "../process/setup-error.ts";
import { createHourPosting } from "./hour-posting.ts";
import { createUsers } from "./users.ts";
import { createRandom } from "./random.ts";
import { readSeedSettings, USAGE } from "./seed-settings.ts";
import { createTraffic, planHours } from "./traffic.ts";

/** Generates usage for an install: see USAGE in settings.ts. */
const BULK_MS = 120_000;
/** Above this number of rows the indexes are kept: rebuilding all of them would take longer than updating them. */
const ROWS_BEFORE_MAX = 100_000;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** The indexes in two halves: each half is one pass over the rows, and a pass uses one CPU. */
const getBuilds = (indexes: typeof INDEXES) => {
  const middle = Math.ceil(indexes.logs.length / 2);
  return [
    ({ logs }: Collections) => logs.createIndexes(indexes.logs.slice(0, middle)),
    async ({ logs, rollups }: Collections) => {
      await logs.createIndexes(indexes.logs.slice(middle));
      await rollups.createIndexes([...indexes.rollups]);
    },
  ];
};

async function seed(): Promise<void> {
  const settings = readSeedSettings(process.argv.slice(2), process.env);
  const place = findInstallPlace(process.env);
  // Building the indexes takes minutes, during which the server sends nothing.
  const connection = await mongoose
    .createConnection(place.mongodbUrl, {
      autoIndex: false,
      socketTimeoutMS: 0,
      writeConcern: { w: 1, journal: false },
    })
    .asPromise();
  const collections = createCollections(connection);
  await migrate(connection, collections);
  const { logs, rollups, state } = collections;
  const isUsed = (await logs.findOne({ type: LOG_TYPE.consume }, { projection: { _id: 1 } })) !== null;
  if (isUsed && !settings.force) throw new SetupError("There is usage in the log already: use --force to add to it.");
  const isSmall = (await logs.estimatedDocumentCount()) <= ROWS_BEFORE_MAX;

  const beganAtMs = Date.now();
  const random = createRandom(settings.seed);
  const hours = planHours(settings.rows, settings.days, Math.floor(beganAtMs / 1000));
  const beganAtSeconds = (hours[0]?.hour ?? 0) - 3_600;
  const users = await createUsers(
    { connection, collections, masterKey: place.masterKey, random },
    { users: settings.users, password: settings.password, beganAtSeconds },
  );
  const excludeOthers = (): Promise<unknown> =>
    state.updateOne({ _id: "logs" }, { $set: { bulkUntilMs: Date.now() + BULK_MS } }, { upsert: true });
  await excludeOthers();
  const renewal = setInterval(() => void excludeOthers().catch(() => undefined), BULK_MS / 4);
  // Building the indexes at the end costs a fraction of updating them row by row.
  if (isSmall) await Promise.all([logs.dropIndexes(), rollups.dropIndexes()]);
  const traffic = createTraffic(users, random);
  const session = await beginSession(connection);
  const posting = createHourPosting({ connection, collections, session });
  let done = 0;
  for (const { hour, rows } of hours) {
    await posting.post(traffic(hour, rows));
    done += rows;
    if (hour % 86_400 === 82_800) {
      const seconds = (Date.now() - beganAtMs) / 1000;
      print(`${done} of ${settings.rows} rows, ${Math.round(done / seconds)} a second`);
    }
  }
  await posting.finish();
  await session.endSession();
  print(`the rows are in after ${Math.round((Date.now() - beganAtMs) / 1000)} s; the indexes are being built`);
  if (isSmall) await Promise.all(getBuilds(INDEXES).map((build) => build(collections)));
  clearInterval(renewal);
  await state.updateOne({ _id: "logs" }, { $unset: { bulkUntilMs: 1 } });
  print(`${done} rows of ${users.length} users, all in ${Math.round((Date.now() - beganAtMs) / 1000)} s`);
  print(`the first user is ${users[0]?.username ?? ""}; npm run ledger:check runs a reconciliation`);
  await connection.close();
}

try {
  await seed();
} catch (error) {
  process.stderr.write(
    error instanceof SetupError
      ? `${error.message}\n\n${USAGE}\n`
      : `${String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exit(1);
}
