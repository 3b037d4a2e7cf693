import type { ClientSession, Connection, mongo } from "mongoose";
import type { Collections } from "../../services/billing/src/store/collections.ts";
import type { Figures, Report } from "./report.ts";
import type { Source } from "./open-source.ts";
import type { Dialect } from "./source-rows.ts";

/** Stores the result of importing a source row, so that a repeated run finds it. */
export type ImportedDoc = {
  /** `<source>:<table>:<source number or name>` */
  _id: string;
  label: string;
  table: string;
  target: number;
  figures: Figures;
};

/** Context shared by the imports of all tables. */
export type ImportPlace = {
  readonly connection: Connection;
  readonly collections: Collections;
  readonly imported: mongo.Collection<ImportedDoc>;
  readonly source: Source;
  readonly dialect: Dialect;
  readonly label: string;
  readonly isDryRun: boolean;
  readonly masterKey: string;
  readonly nowSeconds: number;
  readonly report: Report;
};

export const importedId = ({ label }: Pick<ImportPlace, "label">, table: string, key: number | string): string =>
  `${label}:${table}:${key}`;

/** Rows imported in earlier runs: new id by source id. */
export async function knownTargets({ imported, label }: ImportPlace, table: string): Promise<Map<string, ImportedDoc>> {
  const found = await imported.find({ label, table }).toArray();
  return new Map(found.map((doc) => [doc._id.slice(label.length + table.length + 2), doc]));
}

/**
 * The number for a row: the source number if free, else the next number of the series. Numbers in between are never
 * reused.
 */
export function createNumbers(place: ImportPlace, series: string, taken: ReadonlySet<number>) {
  const used = new Set(taken);
  let next = Math.max(0, ...used) + 1;
  return {
    take(wanted: number): number {
      let id = wanted;
      if (id <= 0 || used.has(id)) {
        while (used.has(next)) next++;
        id = next;
      }
      used.add(id);
      return id;
    },
    /** Advances the series past the numbers that were taken. */
    async keep(session: ClientSession): Promise<void> {
      const value = [...used].reduce((most, id) => Math.max(most, id), 0);
      await place.connection
        .collection<{ _id: string; value: number }>("counters")
        .updateOne({ _id: series }, { $max: { value } }, { upsert: true, session });
    },
  };
}

export function* inBatches<Entry>(entries: Iterable<Entry>, size: number): Generator<Entry[]> {
  let batch: Entry[] = [];
  for (const entry of entries) {
    batch.push(entry);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
