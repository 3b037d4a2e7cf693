import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SetupError } from "../../process/setup-error.ts";
import { readDumpText } from "./dump-text.ts";
import { createInsertReader, type SqlValue } from "./mysql-inserts.ts";

/** A row as the database holds it. */
export type SourceRow = Readonly<Record<string, unknown>>;
export type Source = {
  readonly tables: ReadonlySet<string>;
  readonly readColumns: (table: string) => ReadonlySet<string>;
  /** All rows in the order of `by`, one at a time. */
  readonly rows: (table: string, by: string) => IterableIterator<SourceRow>;
  readonly close: () => void;
};

const TABLES = ["users", "tokens", "channels", "options", "redemptions", "redemption_logs", "logs"];
const ROWS_A_TRANSACTION = 20_000;
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Copies the rows of a MySQL dump into an SQLite file, so that any number of rows can be read in any order. */
async function stage(path: string, database: DatabaseSync, tables: readonly string[]): Promise<void> {
  const columns = new Map<string, readonly string[]>();
  const inserts = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
  const reader = createInsertReader((table) => tables.includes(table));
  const insertFor = (table: string, names: readonly string[]) => {
    const key = `${table} ${names.join()}`;
    const known = inserts.get(key);
    if (known) return known;
    const list = names.map(quoted).join();
    const made = database.prepare(`INSERT INTO ${quoted(table)} (${list}) VALUES (${names.map(() => "?").join()})`);
    inserts.set(key, made);
    return made;
  };
  const make = (table: string, names: readonly string[]): void => {
    if (columns.has(table) || !tables.includes(table)) return;
    columns.set(table, names);
    database.exec(`CREATE TABLE ${quoted(table)} (${names.map(quoted).join()})`);
  };
  let rows = 0;
  const add = (table: string, names: readonly string[] | undefined, values: readonly SqlValue[]): void => {
    if (names) make(table, names);
    const own = names ?? columns.get(table);
    if (!own) throw new SetupError(`The dump names no columns of ${table}: it needs its CREATE TABLE.`);
    insertFor(table, own).run(...values);
    if (++rows % ROWS_A_TRANSACTION === 0) database.exec("COMMIT; BEGIN");
  };
  database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
  for await (const piece of readDumpText(path))
    for (const event of reader.read(piece)) {
      if (event.kind === "columns") make(event.table, event.columns);
      else add(event.table, event.columns, event.values);
    }
  reader.finish();
  database.exec("COMMIT");
}

function getSource(database: DatabaseSync, dispose: () => void): Source {
  const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[];
  const tables = new Set(names.map(({ name }) => name));
  return {
    tables,
    readColumns: (table) =>
      new Set(
        (database.prepare(`PRAGMA table_info(${quoted(table)})`).all() as { name: string }[]).map(({ name }) => name),
      ),
    *rows(table, by) {
      if (tables.has(table)) yield* database.prepare(`SELECT * FROM ${quoted(table)} ORDER BY ${quoted(by)}`).iterate();
    },
    close() {
      database.close();
      dispose();
    },
  };
}

/** Opens an SQLite file, or a MySQL dump as text (also gzip). Throws SetupError if it is neither. */
export async function openSource(path: string, format: "sqlite" | "mysql", withLogs: boolean): Promise<Source> {
  if (format === "sqlite") return getSource(new DatabaseSync(path, { readOnly: true }), () => undefined);
  const folder = mkdtempSync(join(tmpdir(), "turnpike-import-"));
  const dispose = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const database = new DatabaseSync(join(folder, "staged.sqlite"));
    await stage(path, database, withLogs ? TABLES : TABLES.filter((table) => table !== "logs"));
    const source = getSource(database, dispose);
    if (source.tables.has("users") || source.tables.has("channels")) return source;
    source.close();
  } catch (error) {
    dispose();
    throw error;
  }
  throw new SetupError(`${path} is neither an SQLite database nor a MySQL dump with users or channels.`);
}
