import { checkOptionValue } from "@turnpike/contract/options/option-validation";
import { isOptionKey, type OptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import { normalizeOption } from "@turnpike/contract/options/option-formats";
import { createSecretBox } from "@turnpike/shared/crypto/secret-box";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import { optionModel, optionRevisionModel } from "../../services/auth/src/options/option-models.ts";
import { isSecretOption } from "../../services/auth/src/options/option-reader.ts";
import { createOptionStore } from "../../services/auth/src/options/option-store.ts";
import type { ImportPlace } from "./place.ts";
import { textOf } from "./source-rows.ts";

/** Brings options that have a place here; the others are named, never with their values. */
export async function importOptions(place: ImportPlace): Promise<void> {
  const { connection, source, report, masterKey } = place;
  const secretBox = createSecretBox(masterKey);
  const store = createOptionStore({ options: optionModel(connection), revisions: optionRevisionModel(connection) });
  const fitting: { key: OptionKey; value: string }[] = [];
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
  const stored = new Map((await store.readAll()).map(({ key, value }) => [key, value]));
  const isSame = ({ key, value }: { key: OptionKey; value: string }): boolean => {
    const now = stored.get(key);
    if (now === undefined || !isSecretOption(key) || now === "") return now === value;
    return secretBox.open(now) === value;
  };
  const changed = fitting.filter((option) => !isSame(option));
  if (changed.length > 0)
    await inTransaction(connection, async (session) => {
      await store.nextRevision(session);
      for (const { key, value } of changed)
        await store.write(key, isSecretOption(key) && value !== "" ? secretBox.seal(value) : value, session);
    });
  stored.clear();
  for (const { key, value } of await store.readAll()) stored.set(key, value);
  report.target("options", { rows: fitting.filter(isSame).length });
}
