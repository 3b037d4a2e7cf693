import { resolve } from "node:path";
import { ensureConsole } from "../../scripts/up/console-build.ts";

/** Global setup of the browser tests: builds the console once, before any test file starts a system that serves it. */
export async function setup(): Promise<void> {
  await ensureConsole(resolve(import.meta.dirname, "../.."), () => undefined);
}
