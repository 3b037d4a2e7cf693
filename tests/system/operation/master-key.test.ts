import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { type ConsoleClient, createConsoleClient } from "../../lib/console-client.ts";
import { ledgerCheck } from "../../lib/ledger-check.ts";
import { type ExtraService, startAdditional } from "../../lib/previous-version.ts";
import { isSettled } from "../../lib/settled.ts";
import { type StatefulResponses, startStatefulResponses } from "../../lib/upstreams/stateful-responses.ts";
import { ROOT_USER, startWorld, type World } from "../../lib/world.ts";

/** The steps of deploy/README.md, "Changing the master key": in each, processes of this step and of the one before run side by side. */
type Json = Record<string, unknown>;
type Side = { readonly console: ConsoleClient; readonly relayUrl: string };

const HERE = resolve(import.meta.dirname, "../../..");
const backing = testBacking();
const [old, fresh] = [0, 1].map(() => randomBytes(32).toString("base64")) as [string, string];
const keys: string[] = [];
let account: StatefulResponses;
let calls = 0;

beforeAll(async () => {
  account = await startStatefulResponses("account");
});
afterAll(() => account.stop());

/** Processes of the services with another master key, which call each other, next to those of a world. */
async function startWithKey(world: World, masterKey: string) {
  const started: ExtraService[] = [];
  const start = async (service: Parameters<typeof startAdditional>[1], env: Record<string, string> = {}) => {
    const one = await startAdditional(world, service, { folder: HERE, env: { MASTER_KEY: masterKey, ...env } });
    started.push(one);
    return one;
  };
  const auth = await start("auth");
  const services = { AUTH_ADDRESS: auth.grpcAddress, CHANNEL_ADDRESS: (await start("channel")).grpcAddress };
  const addresses = { ...services, BILLING_ADDRESS: (await start("billing", services)).grpcAddress };
  const relay = await start("relay", addresses);
  const gateway = await start("gateway", addresses);
  return {
    relayUrl: relay.httpUrl,
    consoleUrl: gateway.httpUrl,
    stop: async () => void (await Promise.all(started.map((service) => service.stop()))),
  };
}

async function respond({ relayUrl }: Side, key: string, body: Json): Promise<string> {
  const response = await fetch(`${relayUrl}/v1/responses`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({ input: "x", ...body }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  calls++;
  return String((JSON.parse(text) as Json)["id"]);
}

/** Creates a channel of a model and a token on this side; both are used on each side. */
async function createOn({ console: client }: Side, model: string): Promise<string> {
  const fields = { type: 1, key: `upstream-${model}`, name: model, models: model, base_url: account.url };
  await client.post("/api/channel/", { ...fields, group: "default" });
  const made = await client.post<{ key: string }>("/api/token/", { name: model, unlimited_quota: true });
  keys.push(made.key);
  return made.key;
}

const signIn = async (url: string): Promise<ConsoleClient> => {
  const client = createConsoleClient(url);
  await client.login(ROOT_USER.username, ROOT_USER.password);
  return client;
};

async function checkStep(name: string, sides: readonly Side[]): Promise<void> {
  for (const [at, side] of sides.entries()) {
    const model = `${name}-${at}`;
    const created = await createOn(side, model);
    for (const relay of sides) {
      const first = () => respond(relay, created, { model }).catch(() => "");
      // A relay takes over a new channel within a second.
      await expect.poll(first, { timeout: 10_000 }).not.toBe("");
    }
    // A conversation that moves from relay to relay, and every token made so far.
    let previous = await respond(side, created, { model });
    for (const relay of [...sides, ...sides.toReversed()])
      previous = await respond(relay, created, { model, previous_response_id: previous });
    for (const key of keys) await respond(side, key, { model });
  }
}

async function runStep(name: string, [before, after]: readonly [string, string]): Promise<void> {
  const env = { GLOBAL_API_RATE_LIMIT_ENABLE: "false", GLOBAL_WEB_RATE_LIMIT_ENABLE: "false" };
  const world = await startWorld({ backing, masterKey: before, env });
  const added = await startWithKey(world, after);
  try {
    const root = await world.root();
    await root.put("/api/user/", { ...(await root.get<Json>("/api/user/self")), quota: 1_000_000_000 });
    for (const [key, value] of Object.entries({ fallback_input_ratio: "1", fallback_pricing_enabled: "true" }))
      await root.put("/api/option/", { key, value });
    const sides = [
      { console: root, relayUrl: world.relayUrl },
      { console: await signIn(added.consoleUrl), relayUrl: added.relayUrl },
    ];
    await checkStep(name, sides);
    await expect.poll(() => isSettled(world), { timeout: 30_000 }).toBe(true);
    const { total } = await root.get<{ total: number }>("/api/log/", { p: 1, page_size: 1, type: 2 });
    expect(total).toBe(calls);
    await ledgerCheck(world);
  } finally {
    await added.stop();
    await world.stop();
  }
}

const reencrypt = (): string =>
  execFileSync(process.execPath, [resolve(HERE, "services/shared/src/backup/main.ts"), "rotate-master-key"], {
    env: { PATH: process.env["PATH"], MONGODB_URL: backing.mongodbUrl, MASTER_KEY: `${fresh},${old}` },
    encoding: "utf8",
  });

it("is changed while processes with the list before and after serve calls side by side, and then the old key goes", async () => {
  const known = `${old},${fresh},${old}`;
  const used = `${fresh},${old}`;
  await runStep("known", [old, known]);
  await runStep("used", [known, used]);
  expect(reencrypt()).toMatch(/^[1-9]\d* secrets re-encrypted/);
  const lookup = /lookup:[\w-]+/.exec(reencrypt())?.[0] ?? "no lookup part";
  await runStep("gone", [used, `${fresh},${lookup}`]);
}, 300_000);
