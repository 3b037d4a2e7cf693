import type { ClientSession, Connection, mongo } from "mongoose";
import type { Collections } from "../../../services/billing/src/store/collections.ts";
import type { GroupUses } from "../group-uses.ts";
import type { Figures, Report } from "../report.ts";
import type { InstallReader, SourceId } from "../source/install-reader.ts";

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
export type ImportContext = {
  readonly connection: Connection;
  readonly collections: Collections;
  readonly imported: mongo.Collection<ImportedDoc>;
  readonly reader: InstallReader;
  readonly label: string;
  readonly isDryRun: boolean;
  readonly masterKey: string;
  readonly nowSeconds: number;
  readonly report: Report;
  readonly groups: GroupUses;
};

export const importedId = ({ label }: Pick<ImportContext, "label">, table: string, key: SourceId): string =>
  `${label}:${table}:${key}`;

/** Rows imported in earlier runs: new id by source id. */
export async function readImported(
  { imported, label }: ImportContext,
  table: string,
): Promise<Map<string, ImportedDoc>> {
  const found = await imported.find({ label, table }).toArray();
  return new Map(found.map((doc) => [doc._id.slice(label.length + table.length + 2), doc]));
}

/** A source row with its new id, as `recordImported` stores it. */
export type ImportedRow = { readonly sourceId: SourceId; readonly target: number; readonly figures: Figures };

/** Records imported rows in the transaction that stores them. */
export async function recordImported(
  context: Pick<ImportContext, "imported" | "label">,
  rows: { readonly table: string; readonly rows: readonly ImportedRow[] },
  session: ClientSession,
): Promise<void> {
  const { imported, label } = context;
  const { table } = rows;
  const docs = rows.rows.map(({ sourceId, target, figures }) => ({
    _id: importedId(context, table, sourceId),
    label,
    table,
    target,
    figures,
  }));
  await imported.insertMany(docs, { session });
}

/**
 * The number for a row: the source number if it has one that is free, else the next number of the series. Numbers in
 * between are never reused.
 */
export function createNumbers(context: ImportContext, series: string, taken: ReadonlySet<number>) {
  const used = new Set(taken);
  let next = Math.max(0, ...used) + 1;
  return {
    take(preferred: SourceId): number {
      let id = typeof preferred === "number" ? preferred : 0;
      if (id <= 0 || used.has(id)) {
        while (used.has(next)) next++;
        id = next;
      }
      used.add(id);
      return id;
    },
    /** Advances the series past the numbers that were taken. */
    async store(session: ClientSession): Promise<void> {
      const value = [...used].reduce((most, id) => Math.max(most, id), 0);
      await context.connection
        .collection<{ _id: string; value: number }>("counters")
        .updateOne({ _id: series }, { $max: { value } }, { upsert: true, session });
    },
  };
}

export type Numbers = ReturnType<typeof createNumbers>;

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
