import { parseArgs } from "node:util";
import { SetupError } from "../process/setup-error.ts";

export type ImportSettings = {
  readonly path: string;
  readonly label: string;
  readonly isDryRun: boolean;
  readonly withLogs: boolean;
};

export const USAGE = `npm run import -- DUMP [--dry-run] [--with-logs] [--source NAME]

Brings users, balances, tokens, channels, options and codes of one-api, new-api or Veloera into the install that is up in DATA_DIR (or
that of MONGODB_URL and MASTER_KEY). DUMP is their SQLite file, or what mysqldump wrote (plain or gzip). Run it with --dry-run first.
A repeat changes nothing; two sources that come to one install need a --source name each.`;

/** Parses the command line; throws SetupError that says what is wrong. */
export function readImportSettings(args: readonly string[]): ImportSettings {
  const flag = { type: "boolean" as const, default: false };
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { "dry-run": flag, "with-logs": flag, source: { type: "string", default: "import" } },
  });
  const [path, more] = positionals;
  if (path === undefined || more !== undefined) throw new SetupError("Name one dump.");
  if (!/^[a-z0-9_-]{1,32}$/.test(values.source))
    throw new SetupError("--source must be 1 to 32 small letters, digits, - or _.");
  return { path, label: values.source, isDryRun: values["dry-run"], withLogs: values["with-logs"] };
}
