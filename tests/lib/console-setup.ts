import { resolve } from "node:path";
import { ensureConsole } from "../../scripts/up/console-build.ts";

/** Global set-up of the browser tests: the console is built once, before any file of them starts a system that serves it. */
export const setup = (): Promise<void> => ensureConsole(resolve(import.meta.dirname, "../.."), () => undefined);
