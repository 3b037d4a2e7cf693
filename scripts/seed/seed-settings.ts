import { parseArgs } from "node:util";
import { SetupError } from "../process/setup-error.ts";

export type SeedSettings = {
  readonly rows: number;
  readonly days: number;
  readonly users: number;
  /** Password of all generated users; without it no sign-in as them is possible. */
  readonly password: string | undefined;
  readonly seed: number;
  readonly force: boolean;
};

export const USAGE = `npm run seed-logs -- [--rows 10000000] [--days 30] [--users 400] [--password TEXT] [--seed 1] [--force]

Fills the install that is up in DATA_DIR (or that of MONGODB_URL and MASTER_KEY) with made-up usage: users seed<number> with balances
and tokens, log rows, hourly sums and reports that agree with each other. Refuses where calls are in the log already, unless --force.`;

function whole(name: string, text: string | undefined, bounds: { usual: number; max: number }): number {
  const value = text === undefined ? bounds.usual : Number(text);
  if (Number.isSafeInteger(value) && value >= 1 && value <= bounds.max) return value;
  throw new SetupError(`--${name} must be a whole number from 1 to ${bounds.max}.`);
}

/** Parses the command line; throws a SetupError that names the error. */
export function readSeedSettings(args: readonly string[], env: NodeJS.ProcessEnv): SeedSettings {
  const text = { type: "string" as const };
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: text,
      days: text,
      users: text,
      password: text,
      seed: text,
      force: { type: "boolean", default: false },
    },
  });
  return {
    rows: whole("rows", values.rows ?? env["SEED_ROWS"], { usual: 10_000_000, max: 1_000_000_000 }),
    days: whole("days", values.days, { usual: 30, max: 3_650 }),
    users: whole("users", values.users, { usual: 400, max: 100_000 }),
    seed: whole("seed", values.seed, { usual: 1, max: 2 ** 31 }),
    password: values.password,
    force: values.force,
  };
}
