import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SetupError } from "../../process/setup-error.ts";
import { readDumpText } from "../source/dump-text.ts";
import { createDumpReader, type DumpCell, type DumpRow, readLines } from "./postgres-dump.ts";

/**
 * LiteLLM's tables and columns are those of `schema.prisma` in the PyPI package litellm-proxy-extras 0.4.110 (MIT, BerriAI); paths in
 * the other files of this folder are those of litellm 1.110.2. Columns come and go between versions: a missing one reads as NULL, and
 * what a version does not have is not needed.
 */
export const TABLES = {
  budgets: "LiteLLM_BudgetTable",
  credentials: "LiteLLM_CredentialsTable",
  models: "LiteLLM_ProxyModelTable",
  organizations: "LiteLLM_OrganizationTable",
  aliases: "LiteLLM_ModelTable",
  teams: "LiteLLM_TeamTable",
  projects: "LiteLLM_ProjectTable",
  users: "LiteLLM_UserTable",
  keys: "LiteLLM_VerificationToken",
  deletedKeys: "LiteLLM_DeletedVerificationToken",
  endUsers: "LiteLLM_EndUserTable",
  config: "LiteLLM_Config",
  memberships: "LiteLLM_TeamMembership",
} as const;
export type TableName = keyof typeof TABLES;

/** Calls; read by the shadow report only, never staged. */
export const SPEND_LOGS = "LiteLLM_SpendLogs";

/** A row by column. */
export type LiteLlmRow = Readonly<Record<string, DumpCell | undefined>>;

/** Tables of logs, sums and running jobs, which are no settings. */
const RECORDS = /^LiteLLM_(?:Daily|SpendLog|ErrorLogs|AuditLog|CronJob|ProxyWorker|HealthCheck|BudgetWindow|Deleted)/;

export type LiteLlmSource = {
  /** The rows of tables with settings that the import does not read, by table. */
  readonly otherTables: ReadonlyMap<string, number>;
  /** All rows of a table in the order of their first column, which is its key. */
  readonly rows: (table: TableName) => IterableIterator<LiteLlmRow>;
  readonly close: () => void;
};

const STAGED: ReadonlySet<string> = new Set(Object.values(TABLES));
const isSetting = (table: string): boolean =>
  STAGED.has(table) || (table.startsWith("LiteLLM_") && !RECORDS.test(table));

const ROWS_A_TRANSACTION = 20_000;
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The rows of some tables of a dump (plain or gzip), one at a time. Throws SetupError with the line where the dump is broken. */
export async function* readDumpRows(path: string, isSelected: (table: string) => boolean): AsyncGenerator<DumpRow> {
  const reader = createDumpReader(isSelected);
  for await (const line of readLines(readDumpText(path))) yield* reader.read(line);
  reader.finish();
}

/** Stores rows in an SQLite file, so that any number of them can be read in any order. */
function createStaging(database: DatabaseSync) {
  const inserts = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
  let rows = 0;
  database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
  return {
    tables: inserts,
    add({ table, columns, cells }: DumpRow): void {
      let insert = inserts.get(table);
      if (!insert) {
        database.exec(`CREATE TABLE ${quoted(table)} (${columns.map(quoted).join()})`);
        insert = database.prepare(`INSERT INTO ${quoted(table)} VALUES (${columns.map(() => "?").join()})`);
        inserts.set(table, insert);
      }
      insert.run(...cells);
      if (++rows % ROWS_A_TRANSACTION === 0) database.exec("COMMIT; BEGIN");
    },
    end: (): void => database.exec("COMMIT"),
  };
}

/** Opens a plain dump of LiteLLM's PostgreSQL database. Throws SetupError if it has no keys, users, teams or models. */
export async function openLiteLlmSource(path: string): Promise<LiteLlmSource> {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-import-"));
  const dispose = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const database = new DatabaseSync(join(folder, "staged.sqlite"));
    const staging = createStaging(database);
    const otherTables = new Map<string, number>();
    for await (const row of readDumpRows(path, isSetting))
      if (STAGED.has(row.table)) staging.add(row);
      else otherTables.set(row.table, (otherTables.get(row.table) ?? 0) + 1);
    staging.end();
    if (!(["keys", "users", "teams", "models"] as const).some((name) => staging.tables.has(TABLES[name])))
      throw new SetupError(`${path} is a dump of PostgreSQL without keys, users, teams or models of LiteLLM.`);
    return {
      otherTables,
      *rows(name) {
        const table = TABLES[name];
        if (!staging.tables.has(table)) return;
        const rows = database.prepare(`SELECT * FROM ${quoted(table)} ORDER BY 1`).iterate();
        yield* rows as IterableIterator<LiteLlmRow>;
      },
      close() {
        database.close();
        dispose();
      },
    };
  } catch (error) {
    dispose();
    throw error;
  }
}
