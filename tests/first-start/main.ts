/**
 * Runs the commands of the README, as a newcomer would: a copy of the repository in an empty folder, an empty home, no server
 * installed, no root. `make up`, set-up of the first administrator, a channel to a scripted upstream, one charged call;
 * then a second start, without a network.
 *
 * As root it runs as an unprivileged user in a mount namespace where the servers of this machine are hidden. Without
 * root they are not hidden, which is printed.
 */
import { createConsoleClient } from "../lib/console-client.ts";
import { startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { makeFirstCall } from "../lib/first-call.ts";
import { ROOT_USER } from "../lib/world.ts";
import { createNewcomer } from "./newcomer.ts";

const FIRST_START_MS = 480_000;
const SECOND_START_MS = 90_000;

const print = (line: string): void => void process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);

async function createAdministrator(consoleUrl: string): Promise<void> {
  const { username, password } = ROOT_USER;
  await createConsoleClient(consoleUrl).post("/api/setup", {
    username,
    password,
    confirmPassword: password,
    SelfUseModeEnabled: false,
    DemoSiteEnabled: false,
  });
}

const newcomer = await createNewcomer(print);
const upstream = await startFakeUpstream();
let failure: unknown;
try {
  const first = newcomer.start();
  const { consoleUrl, relayUrl } = await first.untilReady(FIRST_START_MS);
  print("make up: ready at the first try");
  await createAdministrator(consoleUrl);
  print(`one call, charged ${await makeFirstCall({ consoleUrl, relayUrl, upstreamUrl: upstream.url })}`);
  await first.stop();
  print("stopped");
  const second = newcomer.start({ isOffline: true });
  await second.untilReady(SECOND_START_MS);
  print("a second start needs no network");
  await second.stop();
} catch (error) {
  failure = error;
}
await upstream.stop();
await newcomer.remove();
if (failure !== undefined) console.error(failure);
process.exit(failure === undefined ? 0 : 1);
