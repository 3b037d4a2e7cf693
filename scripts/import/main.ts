import { migrateModels } from "@turnpike/shared/mongo/migrate-models";
import { connectMongo } from "@turnpike/shared/mongo/mongo";
import type { Connection } from "mongoose";
import { optionModel, optionRevisionModel } from "../../services/auth/src/options/option-models.ts";
import { setupModel } from "../../services/auth/src/setup/setup-model.ts";
import { userModel } from "../../services/auth/src/users/user-model.ts";
import { migrate } from "../../services/billing/src/migrate.ts";
import { createCollections } from "../../services/billing/src/store/collections.ts";
import { channelModel, routingRevisionModel } from "../../services/channel/src/channels/channel-model.ts";
import { findInstallPlace } from "../install-place.ts";
import { SetupError } from "../process/setup-error.ts";
import { importChannels } from "./import-channels.ts";
import { importCodes } from "./import-codes.ts";
import { importLogs } from "./import-logs.ts";
import { importOptions } from "./import-options.ts";
import { importTokens } from "./import-tokens.ts";
import { importUsers } from "./import-users.ts";
import { openSource, type Source } from "./open-source.ts";
import type { ImportedDoc, ImportPlace } from "./place.ts";
import { createReport } from "./report.ts";
import { type ImportSettings, readImportSettings, USAGE } from "./settings.ts";
import { dialectOf } from "./source-rows.ts";

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Creates the target collections, as the services do at startup. */
async function prepare(connection: Connection): Promise<void> {
  for (const model of [userModel, setupModel, optionModel, optionRevisionModel, channelModel, routingRevisionModel])
    model(connection);
  await migrateModels(connection, "import");
  await migrate(connection, createCollections(connection));
}

async function run(settings: ImportSettings, source: Source): Promise<boolean> {
  const { mongodbUrl, masterKey } = findInstallPlace(process.env);
  const connection = await connectMongo(mongodbUrl);
  const report = createReport();
  try {
    if (!settings.isDryRun) await prepare(connection);
    const collections = createCollections(connection);
    const place: ImportPlace = {
      ...settings,
      connection,
      collections,
      imported: connection.collection<ImportedDoc>("imported_rows") as ImportPlace["imported"],
      source,
      dialect: dialectOf(source),
      masterKey,
      nowSeconds: Math.floor(Date.now() / 1000),
      report,
    };
    say(`${settings.path}: ${place.dialect}${settings.isDryRun ? ", dry run: nothing is written" : ""}`);
    await importOptions(place);
    const channels = await importChannels(place);
    const users = await importUsers(place);
    const tokens = await importTokens(place, users);
    await importCodes(place, users);
    if (settings.withLogs) await importLogs(place, { users, tokens, channels });
  } finally {
    await connection.close();
  }
  say(report.lines(!settings.isDryRun).join("\n"));
  if (settings.isDryRun) return true;
  say(report.isEqual() ? "source and target are equal" : "source and target DIFFER");
  return report.isEqual();
}

try {
  const settings = readImportSettings(process.argv.slice(2));
  const source = await openSource(settings.path, settings.withLogs);
  try {
    process.exitCode = (await run(settings, source)) ? 0 : 1;
  } finally {
    source.close();
  }
} catch (error) {
  const isUsage = error instanceof SetupError || (error instanceof TypeError && "code" in error);
  process.stderr.write(
    isUsage ? `${(error as Error).message}\n\n${USAGE}\n` : `${String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exitCode = 2;
}
