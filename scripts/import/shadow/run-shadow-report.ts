import { joinPrices, optionsInForce, toPriceTables } from "@turnpike/contract/options/options-in-force";
import { createLookupHash } from "@turnpike/shared/crypto/secret-box";
import { createLogger } from "@turnpike/shared/log/log";
import { connectMongo } from "@turnpike/shared/mongo/mongo";
import type { Connection } from "mongoose";
import { createPriceReads } from "../../../services/billing/src/prices/price-reads.ts";
import { createPriceBookStore } from "../../../services/billing/src/prices/price-book-store.ts";
import { createPriceFinder, type PriceFinder } from "../../../services/billing/src/rehearsal/row-quota.ts";
import { createCollections } from "../../../services/billing/src/store/collections.ts";
import { findInstallPlace } from "../../install-place.ts";
import { SetupError } from "../../process/setup-error.ts";
import { createSteps } from "../../up/steps.ts";
import { findFormat } from "../source/dump-text.ts";
import { readStoredOptions } from "../tables/import-options.ts";
import { readNames } from "../litellm/accounts.ts";
import { getName } from "../litellm/keys.ts";
import { type LiteLlmSource, openLiteLlmSource, readDumpRows, SPEND_LOGS } from "../litellm/litellm-source.ts";
import { readOwners } from "../litellm/owners.ts";
import { createPayers } from "./payers.ts";
import { openCalls, toCallCells, writeSums } from "./report-files.ts";
import { createShadowPricing } from "./shadow-price.ts";
import { createShadowSums } from "./shadow-sums.ts";
import { readSpendCall, type SpendCall } from "./spend-call.ts";

const PROGRESS_ROWS = 100_000;
const DIGEST_SHOWN = 8;

/** The prices in force, as the services charge by them. Throws SetupError where billing has not stored any yet. */
async function readPrices(connection: Connection): Promise<PriceFinder> {
  const store = createPriceBookStore(createCollections(connection));
  if (!(await store.read()))
    throw new SetupError("This install has no prices yet: start it once before the comparison.");
  const { options } = await createPriceReads(store, createLogger("import", "warn")).snapshot();
  const stored = [...(await readStoredOptions({ connection }))].map(([key, value]) => ({ key, value }));
  return createPriceFinder(toPriceTables(optionsInForce(joinPrices(stored, options))));
}

/** Names of the payer and the key of a call, as the import gives them. */
function createNames(source: LiteLlmSource) {
  const owners = readOwners(source);
  const users = new Map(
    owners.list.map((owner) => {
      const { full } = readNames(owner);
      // Several teams may have one alias.
      return [owner.sourceId, `${owner.kind} ${full}${full === owner.id ? "" : ` (${owner.id})`}`];
    }),
  );
  const keys = new Map([...source.rows("keys")].map((row) => [row["token"] ?? "", getName(row)]));
  return ({ keyDigest, userId, teamId }: SpendCall) => {
    const team = users.get(`team:${teamId}`);
    const digest = keyDigest.slice(0, DIGEST_SHOWN);
    return {
      user: (teamId !== "" ? team : undefined) ?? users.get(`user:${userId}`) ?? `user ${userId}`,
      key: keyDigest === "" ? "" : `${keys.get(keyDigest) ?? "unknown"} (${digest})`,
    };
  };
}

type Settings = { readonly path: string; readonly shadowReportPath: string };

async function compare(
  { path, shadowReportPath }: Settings,
  connection: Connection,
  about: {
    readonly masterKey: string;
    readonly source: LiteLlmSource;
    readonly print: (line: string) => void;
  },
): Promise<string[]> {
  const { masterKey, source, print } = about;
  const finder = await readPrices(connection);
  const { quotaPerUnit } = finder.tables;
  const priceCall = createShadowPricing(finder);
  const findPayer = createPayers(
    { connection, collections: createCollections(connection) },
    finder.tables,
    createLookupHash(masterKey),
  );
  const findNames = createNames(source);
  const sums = createShadowSums();
  const file = await openCalls(shadowReportPath);
  let rows = 0;
  for await (const { columns, cells } of readDumpRows(path, (table) => table === SPEND_LOGS)) {
    const call = readSpendCall(Object.fromEntries(columns.map((column, index) => [column, cells[index]])));
    const names = findNames(call);
    const price = priceCall(call, await findPayer(call.keyDigest));
    const day = new Date(call.at * 1000).toISOString().slice(0, 10);
    sums.add({ model: call.model, key: names.key, user: names.user, day }, call.spend, price);
    await file.add(toCallCells(call, price, { ...names, quotaPerUnit }));
    if (++rows % PROGRESS_ROWS === 0) print(`  calls: ${rows} rows compared`);
  }
  await file.close();
  return writeSums(`${shadowReportPath}.sums.csv`, sums, quotaPerUnit);
}

/**
 * Compares what LiteLLM billed for each call of a dump with what it costs at the prices in force here. Writes a CSV file of calls and
 * one of sums, and prints the sums by reason; changes nothing in the install. Reads the dump twice and holds one row at a time.
 */
export async function runShadowReport(settings: Settings, print: (line: string) => void): Promise<void> {
  if ((await findFormat(settings.path)) !== "postgres")
    throw new SetupError(
      "--shadow-report compares calls of LiteLLM: DUMP must be a plain dump of its PostgreSQL database.",
    );
  const place = findInstallPlace(process.env);
  const source = await openLiteLlmSource(settings.path);
  const connection = await connectMongo(place.mongodbUrl);
  try {
    const steps = createSteps(print);
    const about = { masterKey: place.masterKey, source, print };
    const lines = await steps.run(
      () => compare(settings, connection, about),
      () => `calls are compared: ${settings.shadowReportPath}, sums: ${settings.shadowReportPath}.sums.csv`,
    );
    for (const line of lines) print(line);
  } finally {
    source.close();
    await connection.close();
  }
}
