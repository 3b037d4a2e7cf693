/**
 * Brings docker/compose.yaml up with images that the engine has, makes one charged call through it, and takes it down.
 *
 * COMPOSE ("docker compose"): the program; DOCKER_HOST names its engine. TAG (dev): the images of the services.
 * COMPOSE_REDUCED: adds reduced-images.yaml, for engines whose images of MongoDB and NATS contain no tools.
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { networkInterfaces } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { makePrimary } from "../../scripts/backing/mongodb-replica-set.ts";
import { freePort } from "../../scripts/process/ports.ts";
import { startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { makeFirstCall } from "../lib/first-call.ts";
import { ROOT_USER } from "../lib/world.ts";

const FILE = resolve(import.meta.dirname, "../../docker/compose.yaml");
const REDUCED_FILE = join(import.meta.dirname, "reduced-images.yaml");
const REDUCED_MONGODB_PORT = 27_117;
const BACKING = ["mongodb", "redis", "nats"];
const SERVICES = ["auth", "billing", "channel", "messaging", "relay", "gateway"];
const STEP_MS = 180_000;

const isReduced = process.env["COMPOSE_REDUCED"] !== undefined;
const [program = "docker", ...prefix] = (process.env["COMPOSE"] ?? "docker compose").split(" ");
const [port, relayPort] = [await freePort(), await freePort()];
const env = {
  ...process.env,
  INTERNAL_SECRET: randomBytes(24).toString("base64url"),
  MASTER_KEY: randomBytes(32).toString("base64"),
  ROOT_USERNAME: ROOT_USER.username,
  ROOT_PASSWORD: ROOT_USER.password,
  PORT: String(port),
  RELAY_PORT: String(relayPort),
};
const files = ["-f", FILE, ...(isReduced ? ["-f", REDUCED_FILE] : [])];
const consoleUrl = `http://127.0.0.1:${port}`;
const print = (line: string): void => void process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);

const compose = async (...args: string[]): Promise<string> =>
  (
    await promisify(execFile)(program, [...prefix, "-p", "turnpike-test", ...files, ...args], {
      env,
      timeout: STEP_MS,
      maxBuffer: 32 * 1024 ** 2,
    })
  ).stdout;

/** An address of this machine that containers can reach. */
function getOwnAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const own = addresses.find(({ family, internal }) => family === "IPv4" && !internal);
  if (!own) throw new Error("this machine has no IPv4 address that containers reach");
  return own.address;
}

async function waitUntilServed(url: string): Promise<void> {
  const untilMs = Date.now() + STEP_MS;
  for (;;) {
    const response = await fetch(`${url}/api/status`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
    if (response?.ok === true) return;
    if (Date.now() > untilMs) throw new Error(`${url} does not serve`);
    await new Promise((done) => setTimeout(done, 500));
  }
}

const upstream = await startFakeUpstream({ host: getOwnAddress() });
let passed = false;
try {
  await compose("up", "-d", "--no-build", ...BACKING);
  if (isReduced) await makePrimary("127.0.0.1", REDUCED_MONGODB_PORT, "mongodb:27017");
  print("MongoDB, Redis and NATS are up");
  await compose("up", "-d", "--no-build", ...BACKING, ...SERVICES);
  await waitUntilServed(consoleUrl);
  print("all services are up");
  const relayUrl = `http://127.0.0.1:${relayPort}`;
  const quota = await makeFirstCall({ consoleUrl, relayUrl, upstreamUrl: upstream.url });
  print(`one call through the relay, charged ${quota}`);
  passed = true;
} catch (error) {
  console.error(error);
  print(await compose("logs", "--tail=20").catch(String));
}
print(await compose("down", "--volumes").catch(String));
await upstream.stop();
process.exit(passed ? 0 : 1);
