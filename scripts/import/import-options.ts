import { checkOptionValue } from "@turnpike/contract/options/option-validation";
import { isOptionKey, type OptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import { normalizeOption } from "@turnpike/contract/options/option-formats";
import { isPriceKey } from "@turnpike/contract/pricing/price-options";
import { createSecretBox } from "@turnpike/shared/crypto/secret-box";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import { optionModel, optionRevisionModel } from "../../services/auth/src/options/option-models.ts";
import { isSecretOption } from "../../services/auth/src/options/option-reader.ts";
import { createOptionStore } from "../../services/auth/src/options/option-store.ts";
import type { PriceBookDoc } from "../../services/billing/src/store/price-book-document.ts";
import { createPriceBookStore } from "../../services/billing/src/prices/price-book-store.ts";
import type { ImportPlace } from "./place.ts";
import { textOf } from "./source-rows.ts";

type Fitting = { readonly key: OptionKey; readonly value: string };

/** Imports options that exist here; lists the others by name, never with their values. */
export async function importOptions(place: ImportPlace): Promise<void> {
  const { connection, source, report, masterKey } = place;
  const secretBox = createSecretBox(masterKey);
  const store = createOptionStore({ options: optionModel(connection), revisions: optionRevisionModel(connection) });
  const prices = createPriceBookStore({ priceBook: connection.collection<PriceBookDoc>("price_book") });
  const fitting: Fitting[] = [];
  const unknown: string[] = [];
  for (const row of source.rows("options", "key")) {
    const key = textOf(row, "key");
    const raw = textOf(row, "value");
    if (!isOptionKey(key)) {
      unknown.push(key);
      continue;
    }
    const value = normalizeOption(OPTIONS[key], raw);
    const problem = checkOptionValue(key, value);
    if (problem !== undefined)
      report.note(`option ${key} is left out: ${isSecretOption(key) ? "its value does not fit" : problem}`);
    else fitting.push({ key, value });
  }
  if (unknown.length > 0) report.note(`options without a place here: ${unknown.join(", ")}`);
  report.source("options", { rows: fitting.length });
  if (place.isDryRun || fitting.length === 0) return;
  const isSame = ({ key, value }: Fitting, stored: ReadonlyMap<string, string>): boolean => {
    const now = stored.get(key);
    if (now === undefined || !isSecretOption(key) || now === "") return now === value;
    return secretBox.open(now) === value;
  };
  /** The stored values; prices come from billing's price book if it exists. */
  const readStored = async (): Promise<ReadonlyMap<string, string>> => {
    const options = (await store.readAll()).map(({ key, value }) => [key, value] as const);
    return new Map([...options, ...Object.entries((await prices.read())?.values ?? {})]);
  };
  const before = await readStored();
  const changed = fitting.filter((option) => !isSame(option, before));
  if (changed.length > 0)
    await inTransaction(connection, async (session) => {
      const book = await prices.readLocked(session);
      const isBookEntry = ({ key }: Fitting): boolean => book !== undefined && isPriceKey(key);
      const entries = Object.fromEntries(changed.filter(isBookEntry).map(({ key, value }) => [key, value]));
      if (book && Object.keys(entries).length > 0)
        await prices.write({ ...book, revision: book.revision + 1, values: { ...book.values, ...entries } }, session);
      await store.nextRevision(session);
      // Without a price book, billing imports the prices from here when it starts.
      for (const { key, value } of changed.filter((option) => !isBookEntry(option)))
        await store.write(key, isSecretOption(key) && value !== "" ? secretBox.seal(value) : value, session);
    });
  const after = await readStored();
  report.target("options", { rows: fitting.filter((option) => isSame(option, after)).length });
}
