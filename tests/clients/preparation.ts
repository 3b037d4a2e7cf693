/**
 * Installs all clients before `make clients-test`. Its last line is JSON: the ids that are installed, and the reasons why
 * others are not (`CLIENTS_LEFT_OUT`). Registries may fail for minutes: what is out of reach is tried again, until
 * CLIENTS_PREPARATION_SECONDS (300) are over.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { installClients } from "./install.ts";
import { isOutOfReach } from "./install-folder.ts";
import { CLIENT_PACKAGES } from "./versions.ts";

const PAUSE_MS = 20_000;
const LATE = "its installation takes too long";

const untilMs = Date.now() + Number(process.env["CLIENTS_PREPARATION_SECONDS"] ?? 300) * 1000;
const getLeftMs = (): number => Math.max(0, untilMs - Date.now());

const installed: string[] = [];
const leftOut: Record<string, string> = {};

async function installAll(ids: readonly string[]): Promise<void> {
  const late = sleep(getLeftMs(), { reason: LATE }, { ref: false });
  const results = [...installClients(ids, {})].map(async ([id, installation]) => {
    const result = await Promise.race([installation, late]);
    if ("reason" in result) leftOut[id] = result.reason;
    else {
      installed.push(id);
      delete leftOut[id];
    }
  });
  await Promise.all(results);
}

await installAll(Object.keys(CLIENT_PACKAGES));
for (;;) {
  const again = Object.entries(leftOut).flatMap(([id, reason]) => (isOutOfReach(reason) ? [id] : []));
  if (again.length === 0 || getLeftMs() <= PAUSE_MS) break;
  await sleep(PAUSE_MS);
  await installAll(again);
}
console.log(JSON.stringify({ installed, leftOut }));
// Installations that are late end with it.
process.exit(0);
