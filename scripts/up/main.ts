import { resolve } from "node:path";
import { type Backings, describeBacking } from "../backing/find-all.ts";
import { SetupError } from "../process/setup-error.ts";
import { writeBackingFile } from "./backing-file.ts";
import { ensureConsole } from "./console-build.ts";
import { toClosing } from "./closing.ts";
import { takeDataFolder } from "./data-folder.ts";
import { createPrinter } from "./log-lines.ts";
import { checkPorts, findInstallBackings, systemOptions } from "./prepare.ts";
import { waitUntilReady } from "./readiness.ts";
import { endOrphanServices } from "./run-file.ts";
import { readLogFormat, readSettings } from "./up-settings.ts";
import { createSteps } from "./steps.ts";
import { createSystem, type System } from "./system.ts";

const SLOW_AFTER_MS = 20_000;
const STOP_TIMEOUT_MS = 15_000;
const REPEAT_MS = 1_000;
/** Level of a log line. */
const ERROR = 50;

// 1. External connections
const root = resolve(import.meta.dirname, "../..");
const isTerminal = process.stdout.isTTY;
const format = readLogFormat(process.env, isTerminal);
const print = createPrinter((text) => process.stdout.write(text), { format, isTerminal });
const report = (message: string): void => print("up", message);
const steps = createSteps(report);
const going = new AbortController();
let finding: Promise<Backings> | undefined;
let system: System | undefined;
let release: () => void = () => undefined;
let forgetBackings: () => void = () => undefined;

// 2. Shutdown: edge, control services, then our own backing services; all within 15 s, immediately on a second signal
let stoppingSince: number | undefined;
async function stop(exitCode: number): Promise<void> {
  if (stoppingSince !== undefined) {
    // When make forwards its own SIGTERM to the group, the signal arrives twice; this counts as one signal.
    if (Date.now() - stoppingSince < REPEAT_MS) return;
    await system?.kill();
    await (await finding?.catch(() => undefined))?.stop();
    process.exit(exitCode || 130);
  }
  stoppingSince = Date.now();
  going.abort();
  setTimeout(() => void system?.kill().finally(() => process.exit(1)), STOP_TIMEOUT_MS).unref();
  await system?.stop();
  forgetBackings();
  const backings = await finding?.catch(() => undefined);
  await backings?.stop();
  release();
  process.exit(exitCode);
}

async function onSignal(name: string): Promise<void> {
  report(`${name}: stopping`);
  await stop(0);
}
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => void onSignal(name));

// 3. Startup
async function start(): Promise<void> {
  const settings = readSettings(process.env);
  release = takeDataFolder(settings.DATA_DIR, "scripts/up/main.ts");
  await endOrphanServices(settings.DATA_DIR, root);
  await checkPorts(settings);
  const built = steps.run(
    () => ensureConsole(root, report),
    (isNew) => (isNew ? "console built" : undefined),
  );
  // Awaited below, after the backing services; an earlier failure must not become an unhandled rejection.
  built.catch(() => undefined);
  const endBacking = steps.begin();
  finding = findInstallBackings(settings, process.env, {
    report,
    onFound: (name, found) => endBacking(describeBacking(name, found)),
  });
  const backings = await finding;
  if (going.signal.aborted) return;
  const options = systemOptions({ root, settings, env: process.env, backings });
  forgetBackings = writeBackingFile(settings.DATA_DIR, {
    MONGODB_URL: options.mongodbUrl,
    REDIS_URL: options.redisUrl,
    NATS_URL: options.natsUrl,
    NAMESPACE: options.namespace,
  });
  system = await createSystem(options, { print });
  const endService = steps.begin();
  // Only the gateway needs the console: the other services start while it is built.
  system.start((spec) => spec.service !== "gateway");
  await built;
  if (going.signal.aborted) return;
  system.start();
  await waitUntilReady(system.specs, {
    slowAfterMs: SLOW_AFTER_MS,
    onSlow: (name, reason) => report(`${name} is not ready yet: ${reason}`),
    onReady: (name) => endService(`${name} ready`),
    signal: going.signal,
  });
  if (!going.signal.aborted) process.stdout.write(`${toClosing(settings, steps.total(), format)}\n`);
}

const describeFailure = (error: unknown): string =>
  error instanceof SetupError
    ? error.message
    : `${error instanceof Error ? error.stack : String(error)}\nThis is a defect: repeat with LOG_LEVEL=debug and report these lines.`;

start().catch(async (error: unknown) => {
  if (going.signal.aborted) return;
  print("up", describeFailure(error), ERROR);
  await stop(1);
});
