import { parseArgs } from "node:util";
import { SetupError } from "../process/setup-error.ts";
import { type Dollars, readDollars } from "./litellm/dollars.ts";

export type ImportSettings = {
  readonly path: string;
  readonly label: string;
  readonly isDryRun: boolean;
  readonly withLogs: boolean;
  /** LiteLLM's config.yaml. */
  readonly configPath: string | undefined;
  /** What users and teams of LiteLLM without a budget start with. */
  readonly openingBalance: Dollars | undefined;
  /** Where the comparison of LiteLLM's bills is written; nothing is imported then. */
  readonly shadowReportPath: string | undefined;
};

export const USAGE = `npm run import -- DUMP [--dry-run] [--with-logs] [--source NAME] [--config FILE] [--balance DOLLARS] [--shadow-report FILE]

Brings users, balances, tokens, channels, options and codes of one-api, new-api or Veloera, or users, teams, keys, budgets, models and
prices of LiteLLM, into the install that is up in DATA_DIR (or that of MONGODB_URL and MASTER_KEY). DUMP is their SQLite file, what
mysqldump wrote, or what pg_dump wrote as plain text (plain or gzip). Run it with --dry-run first. A repeat changes nothing; two sources
that come to one install need a --source name each.

LiteLLM: --config adds the models of its config.yaml, --balance is what users and teams without a budget start with, LITELLM_SALT_KEY
opens the stored keys of providers. --shadow-report writes what each call of the dump would have cost here, and imports nothing.`;

const OPTIONS = {
  "dry-run": { type: "boolean", default: false },
  "with-logs": { type: "boolean", default: false },
  source: { type: "string", default: "import" },
  config: { type: "string" },
  balance: { type: "string" },
  "shadow-report": { type: "string" },
} as const;

function readBalance(text: string | undefined): Dollars | undefined {
  if (text === undefined) return undefined;
  const dollars = readDollars(text);
  if (dollars === undefined || dollars < 0n)
    throw new SetupError("--balance must be an amount in dollars, such as 100.");
  return dollars;
}

/** Parses the command line; throws a SetupError that names the error. */
export function readImportSettings(args: readonly string[]): ImportSettings {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  const [path, more] = positionals;
  if (path === undefined || more !== undefined) throw new SetupError("Name one dump.");
  if (!/^[a-z0-9_-]{1,32}$/.test(values.source))
    throw new SetupError("--source must be 1 to 32 small letters, digits, - or _.");
  return {
    path,
    label: values.source,
    isDryRun: values["dry-run"],
    withLogs: values["with-logs"],
    configPath: values.config,
    openingBalance: readBalance(values.balance),
    shadowReportPath: values["shadow-report"],
  };
}
