import type { ClientSession, Connection, mongo } from "mongoose";
import type { Collections } from "../../services/billing/src/store/collections.ts";
import type { Figures, Report } from "./report.ts";
import type { Source } from "./open-source.ts";
import type { Dialect } from "./source-rows.ts";

/** Remembers what became of a row of the source, so that a repeat finds it again. */
export type ImportedDoc = {
  /** `<source>:<table>:<number or name there>` */
  _id: string;
  label: string;
  table: string;
  target: number;
  figures: Figures;
};

/** What each table's import works with. */
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

/** Rows that came in earlier runs: number here by number there. */
export async function knownTargets({ imported, label }: ImportPlace, table: string): Promise<Map<string, ImportedDoc>> {
  const found = await imported.find({ label, table }).toArray();
  return new Map(found.map((doc) => [doc._id.slice(label.length + table.length + 2), doc]));
}

/** The number a row gets: its own where that is free, else a new one of the series. Numbers in between are never given again. */
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
    /** Lets the series go on after the numbers that were taken. */
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
