/**
 * Does what the README says, as a newcomer would: a copy of the repository in an empty folder, an empty home, no server
 * installed, no root. `make up`, set-up of the first administrator, a channel to a scripted upstream, one charged call;
 * then a second start, without a network.
 *
 * As root it runs as an unprivileged user in a mount namespace where the servers of this machine are hidden. Without
 * root they are not hidden, which is printed.
 */
import { createConsoleClient } from "../lib/console-client.ts";
import { startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { openTestSite } from "../lib/test-site.ts";
import { ROOT_USER, type World } from "../lib/world.ts";
import { createNewcomer } from "./newcomer.ts";

const FIRST_START_MS = 480_000;
const SECOND_START_MS = 90_000;

const print = (line: string): void => void process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);

async function checkCall(consoleUrl: string, relayUrl: string, upstreamUrl: string): Promise<void> {
  const visitor = () => createConsoleClient(consoleUrl);
  const { username, password } = ROOT_USER;
  await visitor().post("/api/setup", {
    username,
    password,
    confirmPassword: password,
    SelfUseModeEnabled: false,
    DemoSiteEnabled: false,
  });
  const root = async () => {
    const client = visitor();
    await client.login(username, password);
    return client;
  };
  const testSite = await openTestSite({ visitor, root } as unknown as World, upstreamUrl);
  const { key } = await testSite.token();
  const response = await fetch(`${relayUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "Hello" }] }),
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) throw new Error(`the call failed with ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
  const { quota } = await testSite.readLogRow(String(response.headers.get("x-request-id")));
  if (quota <= 0) throw new Error("the call is not charged");
  print(`one call, charged ${quota}`);
}

const newcomer = await createNewcomer(print);
const upstream = await startFakeUpstream();
let failure: unknown;
try {
  const first = newcomer.start();
  const { consoleUrl, relayUrl } = await first.untilReady(FIRST_START_MS);
  print("make up: ready at the first try");
  await checkCall(consoleUrl, relayUrl, upstream.url);
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
