import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { startFakeUpstream } from "../../tests/lib/fake-upstream/fake-upstream.ts";
import { findInstallPlace } from "../install-place.ts";
import { readSettings } from "../up/up-settings.ts";
import { fillDemo } from "./fill.ts";
import { DEMO_ADMIN, DEMO_CUSTOMER, DEMO_PASSWORD } from "./demo-users.ts";

/**
 * `make demo`: an install of its own in ./data/demo, filled once with believable data behind scripted upstreams. PORT,
 * RELAY_PORT and DATA_DIR as for `make up`; the upstreams listen on DEMO_UPSTREAM_PORT and the port after it.
 */
const UPSTREAM_PORT = Number(process.env["DEMO_UPSTREAM_PORT"] || 3_910);
const RESPONSE = "Barriers lift slow dawn — / a coin, a nod, the road hums, / models pass the gate.";
const POLL_MS = 500;
const READY_TIMEOUT_MS = 600_000;

const env = {
  ...process.env,
  DATA_DIR: process.env["DATA_DIR"] || "./data/demo",
  ROOT_USERNAME: DEMO_ADMIN,
  ROOT_PASSWORD: DEMO_PASSWORD,
};
const report = (line: string): void => void process.stdout.write(`demo: ${line}\n`);

const serving = await startFakeUpstream({ port: UPSTREAM_PORT });
serving.always({}, { text: RESPONSE, delayMs: 120 });
const refusing = await startFakeUpstream({ port: UPSTREAM_PORT + 1 });
refusing.always({}, { refuse: { status: 401, message: "This account was deactivated." } });

const root = resolve(import.meta.dirname, "../..");
const up = spawn(process.execPath, [join(root, "scripts/up/main.ts")], { cwd: root, env, stdio: "inherit" });
let hasEnded = false;
up.once("exit", (code) => {
  hasEnded = true;
  void Promise.all([serving.stop(), refusing.stop()]).finally(() => process.exit(code ?? 1));
});
// The supervisor gets the terminal's signal too and stops everything; a signal to this process alone is passed on.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void up.kill(signal));

const settings = readSettings(env);
const consoleUrl = `http://127.0.0.1:${settings.PORT}`;

/** Resolves when the console responds and the administrator exists. */
async function untilReady(): Promise<void> {
  const limitMs = Date.now() + READY_TIMEOUT_MS;
  while (!hasEnded && Date.now() < limitMs) {
    const body = JSON.stringify({ username: DEMO_ADMIN, password: DEMO_PASSWORD });
    const headers = { "content-type": "application/json", origin: consoleUrl };
    const request = { method: "POST", headers, body, signal: AbortSignal.timeout(5_000) };
    const response = await fetch(`${consoleUrl}/api/user/login`, request).catch(() => undefined);
    if (response?.ok && ((await response.json()) as { success?: boolean }).success === true) return;
    await wait(POLL_MS);
  }
  throw new Error("the demo did not become ready");
}

try {
  await untilReady();
  const upstreams = { serving: serving.url, refusing: refusing.url };
  const isNew = await fillDemo({ consoleUrl, place: findInstallPlace(env), upstreams, report });
  report(isNew ? "filled" : "continues with the data of an earlier start");
  report(`open ${consoleUrl} as ${DEMO_ADMIN}, or as the customer ${DEMO_CUSTOMER}; the password is ${DEMO_PASSWORD}`);
} catch (error) {
  process.stderr.write(`demo: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  up.kill("SIGTERM");
}
