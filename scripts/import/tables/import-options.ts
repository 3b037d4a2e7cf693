import { checkOptionValue } from "@turnpike/contract/options/option-validation";
import { isOptionKey, type OptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import { normalizeOption } from "@turnpike/contract/options/option-formats";
import { isPriceKey } from "@turnpike/contract/options/price-options";
import { createSecretBox } from "@turnpike/shared/crypto/secret-box";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import { optionModel, optionRevisionModel } from "../../../services/auth/src/options/option-models.ts";
import { isSecretOption } from "../../../services/auth/src/options/option-reader.ts";
import { createOptionStore } from "../../../services/auth/src/options/option-store.ts";
import type { PriceBookDoc } from "../../../services/billing/src/store/price-book-document.ts";
import { createPriceBookStore } from "../../../services/billing/src/prices/price-book-store.ts";
import { SetupError } from "../../process/setup-error.ts";
import type { ImportContext } from "./import-context.ts";

type Fitting = { readonly key: OptionKey; readonly value: string };

type Stores = ReturnType<typeof openStores>;

function openStores({ connection }: Pick<ImportContext, "connection">) {
  return {
    options: createOptionStore({ options: optionModel(connection), revisions: optionRevisionModel(connection) }),
    prices: createPriceBookStore({ priceBook: connection.collection<PriceBookDoc>("price_book") }),
  };
}

async function readStored({ options, prices }: Stores) {
  const rows = (await options.readAll()).map(({ key, value }) => [key, value] as const);
  const book = await prices.read();
  return {
    values: new Map<string, string>([...rows, ...Object.entries(book?.values ?? {})]),
    revision: book?.revision,
  };
}

/** The stored options, secrets encrypted; prices come from billing's price book if it exists. */
export const readStoredOptions = async (
  context: Pick<ImportContext, "connection">,
): Promise<ReadonlyMap<string, string>> => (await readStored(openStores(context))).values;

/** The options of the source that exist here, and notes that name the others, never with their values. */
export function readFittingOptions({ reader }: Pick<ImportContext, "reader">) {
  const fitting: Fitting[] = [];
  const notes: string[] = [];
  const unknown: string[] = [];
  for (const { key, value: raw } of reader.readOptions()) {
    if (!isOptionKey(key)) {
      unknown.push(key);
      continue;
    }
    const value = normalizeOption(OPTIONS[key], raw);
    const problem = checkOptionValue(key, value);
    if (problem !== undefined)
      notes.push(`option ${key} is left out: ${isSecretOption(key) ? "its value does not fit" : problem}`);
    else fitting.push({ key, value });
  }
  if (unknown.length > 0) notes.push(`options without a place here: ${unknown.join(", ")}`);
  return { fitting, notes };
}

/** Imports options that exist here. Throws SetupError where prices changed since the import read them. */
export async function importOptions(context: ImportContext): Promise<void> {
  const { connection, report, masterKey } = context;
  const secretBox = createSecretBox(masterKey);
  const stores = openStores(context);
  const before = await readStored(stores);
  const { fitting, notes } = readFittingOptions(context);
  for (const note of notes) report.note(note);
  report.source("options", { rows: fitting.length });
  if (context.isDryRun || fitting.length === 0) return;
  const isSame = ({ key, value }: Fitting, stored: ReadonlyMap<string, string>): boolean => {
    const now = stored.get(key);
    if (now === undefined || !isSecretOption(key) || now === "") return now === value;
    return secretBox.open(now) === value;
  };
  const changed = fitting.filter((option) => !isSame(option, before.values));
  if (changed.length > 0)
    await inTransaction(connection, async (session) => {
      const book = await stores.prices.readLocked(session);
      if (book?.revision !== before.revision)
        throw new SetupError("Prices were changed during the import. Run it again; it goes on where it stopped.");
      const isBookEntry = ({ key }: Fitting): boolean => book !== undefined && isPriceKey(key);
      const entries = Object.fromEntries(changed.filter(isBookEntry).map(({ key, value }) => [key, value]));
      if (book && Object.keys(entries).length > 0)
        await stores.prices.write(
          { ...book, revision: book.revision + 1, values: { ...book.values, ...entries } },
          session,
        );
      await stores.options.nextRevision(session);
      // Without a price book, billing imports the prices from here when it starts.
      for (const { key, value } of changed.filter((option) => !isBookEntry(option)))
        await stores.options.write(key, isSecretOption(key) && value !== "" ? secretBox.seal(value) : value, session);
    });
  const after = await readStored(stores);
  report.target("options", { rows: fitting.filter((option) => isSame(option, after.values)).length });
}
