import { spawnSync } from "node:child_process";
import { readBackingFile } from "./up/backing-file.ts";
import { readSettings } from "./up/up-settings.ts";

/** Runs a program of a service against the install that runs in DATA_DIR; URLs in the environment take precedence. */
const [program, ...args] = process.argv.slice(2);
const known = process.env["MONGODB_URL"] ? {} : readBackingFile(readSettings(process.env).DATA_DIR);
if (program === undefined || known === undefined) {
  console.error(
    program === undefined
      ? "usage: with-install.ts PROGRAM [ARGUMENTS]"
      : "Nothing is up in DATA_DIR: start it with make up, or set MONGODB_URL.",
  );
  process.exit(2);
}
const result = spawnSync(process.execPath, [program, ...args], { stdio: "inherit", env: { ...known, ...process.env } });
process.exit(result.status ?? 1);
