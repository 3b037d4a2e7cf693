import { migrateModels } from "@turnpike/shared/migration/migrate-models";
import { connectMongo } from "@turnpike/shared/mongo/mongo";
import { createLease } from "@turnpike/shared/lease/lease";
import { createMongoLeaseStore } from "@turnpike/shared/lease/mongo-lease-store";
import type { Connection, mongo } from "mongoose";
import { optionModel, optionRevisionModel } from "../../services/auth/src/options/option-models.ts";
import { setupModel } from "../../services/auth/src/setup/setup-model.ts";
import { userModel } from "../../services/auth/src/users/user-model.ts";
import { migrate } from "../../services/billing/src/migrate.ts";
import { createCollections } from "../../services/billing/src/store/collections.ts";
import { channelModel, routingRevisionModel } from "../../services/channel/src/channels/channel-model.ts";
import { findInstallPlace } from "../install-place.ts";
import { SetupError } from "../process/setup-error.ts";
import { createSteps } from "../up/steps.ts";
import { announceImport } from "./announcement.ts";
import { createGroupUses } from "./group-uses.ts";
import { reportGroupsWithoutRatio } from "./groups-without-ratio.ts";
import { importChannels } from "./tables/import-channels.ts";
import type { ImportedDoc, ImportContext } from "./tables/import-context.ts";
import { importOptions } from "./tables/import-options.ts";
import { importTokens } from "./tables/import-tokens.ts";
import { importUsers } from "./tables/import-users.ts";
import { type Install, openInstall } from "./source/open-install.ts";
import { createReport } from "./report.ts";
import { type ImportSettings, readImportSettings, USAGE } from "./import-settings.ts";
import { runShadowReport } from "./shadow/run-shadow-report.ts";

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Creates the target collections, as the services do at startup. */
async function prepare(connection: Connection): Promise<void> {
  for (const model of [userModel, setupModel, optionModel, optionRevisionModel, channelModel, routingRevisionModel])
    model(connection);
  await migrateModels(connection, "import");
  await migrate(connection, createCollections(connection));
}

/** An import without a sign of life for this long has died. */
const IMPORT_LEASE_MS = 15_000;

type LeaseDoc = { _id: string; holder: string; untilMs: number };

/** Runs one import at a time: two at once would store what neither knows of the other. Throws SetupError while another runs. */
async function underLease(connection: Connection, run: () => Promise<void>): Promise<void> {
  const collection = connection.collection<LeaseDoc>("import_lease") as mongo.Collection<LeaseDoc>;
  const store = createMongoLeaseStore({ collection, id: "import", holderField: "holder", untilField: "untilMs" });
  const lease = createLease({ store, durationMs: IMPORT_LEASE_MS });
  if (!(await lease.acquire()))
    throw new SetupError("Another import into this install is running. Run this one when it has ended.");
  await lease.runHeld(run);
}

const describeAnnouncement = (isAnnounced: boolean): string =>
  isAnnounced
    ? "the running services are notified to read channels, options and prices"
    : "NATS is not reachable: running services read channels, options and prices within a minute";

/** Imports all tables in the order of their references. */
async function importTables(context: ImportContext, { importMore }: Install): Promise<void> {
  const steps = createSteps(print);
  const runTable = <Result>(table: string, read: () => Promise<Result>): Promise<Result> =>
    steps.run(read, () => `${table}: ${context.report.countRows(table)} rows`);
  await runTable("options", () => importOptions(context));
  const channels = await runTable("channels", () => importChannels(context));
  const users = await runTable("users", () => importUsers(context));
  const tokens = await runTable("tokens", () => importTokens(context, users));
  await importMore(context, { channels, users, tokens }, runTable);
}

async function run(settings: ImportSettings, install: Install): Promise<boolean> {
  const place = findInstallPlace(process.env);
  const connection = await connectMongo(place.mongodbUrl);
  const report = createReport((table, rows) => print(`  ${table}: ${rows} rows read`));
  const nowSeconds = Math.floor(Date.now() / 1000);
  const { masterKey } = place;
  try {
    print(`${settings.path}: ${install.product}${settings.isDryRun ? ", dry run: nothing is written" : ""}`);
    const runAll = async (): Promise<void> => {
      const reader = await install.createReader({ connection, masterKey, nowSeconds, report });
      const context: ImportContext = {
        ...settings,
        connection,
        collections: createCollections(connection),
        imported: connection.collection<ImportedDoc>("imported_rows") as ImportContext["imported"],
        reader,
        masterKey,
        nowSeconds,
        report,
        groups: createGroupUses(),
      };
      await importTables(context, install);
      await reportGroupsWithoutRatio(context);
      if (!settings.isDryRun) print(describeAnnouncement(await announceImport(context, place)));
    };
    if (settings.isDryRun) await runAll();
    else
      await underLease(connection, async () => {
        await prepare(connection);
        await runAll();
      });
  } finally {
    await connection.close();
  }
  print(report.lines(!settings.isDryRun).join("\n"));
  if (settings.isDryRun) return true;
  print(report.isEqual() ? "source and target are equal" : "source and target DIFFER");
  return report.isEqual();
}

async function runCommand(settings: ImportSettings): Promise<boolean> {
  if (settings.shadowReportPath !== undefined) {
    await runShadowReport({ ...settings, shadowReportPath: settings.shadowReportPath }, print);
    return true;
  }
  const install = await openInstall(settings);
  try {
    return await run(settings, install);
  } finally {
    install.close();
  }
}

try {
  process.exitCode = (await runCommand(readImportSettings(process.argv.slice(2)))) ? 0 : 1;
} catch (error) {
  const isUsage = error instanceof SetupError || (error instanceof TypeError && "code" in error);
  process.stderr.write(
    isUsage ? `${(error as Error).message}\n\n${USAGE}\n` : `${String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exitCode = 2;
}
