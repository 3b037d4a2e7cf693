import { afterAll, expect, it } from "vitest";
import { SNIPPETS } from "../../services/contract/src/clients/snippets.ts";
import { AGENTS } from "./agents.ts";
import { CODEX } from "./codex.ts";
import { aider } from "./aider.ts";
import { type Client, FINAL_TEXT, MARK, readNotes } from "./client.ts";
import { KINDS, type Kind, startTask, useClientsWorld } from "./clients-world.ts";
import { REFUSED_CALLS } from "./conversation.ts";
import { FRAMEWORKS } from "./frameworks.ts";
import { createHome, runSnippet } from "./home.ts";
import { startWatchedAddress } from "./watched-address.ts";
import { type InstalledClient, installClients, readLeftOut } from "./install.ts";
import { isOutOfReach } from "./install-folder.ts";

const RUN_MS = 150_000;
/** For installations and the tasks of others on the same model: each program has a deadline of its own. */
const TEST_MS = 1_800_000;
const DONE_MS = Date.now() + Number(process.env["CLIENTS_SECONDS"] ?? 3600) * 1000;
const KINDS_PER_CLIENT = Math.min(KINDS.length, Number(process.env["CLIENTS_KINDS"] ?? KINDS.length));

const place = useClientsWorld();

/** Runs a client's task on a model of that kind; returns what is to be compared. */
async function runTask(client: Client, kind: Kind, installed: InstalledClient) {
  const snippet = SNIPPETS.find(({ id }) => id === client.id);
  if (!snippet) throw new Error(`${client.id} has no snippet`);
  const task = await startTask(place, kind, client.script(kind));
  const home = createHome();
  const address = await startWatchedAddress(place.world.relayUrl);
  const startedAtMs = Date.now();
  try {
    const result = await runSnippet(home, {
      snippet,
      client: installed,
      facts: { address: address.url, key: task.key, model: kind.model },
      additions: client.additions(`${MARK}, one by one.`, kind),
      timeoutMs: client.timeoutMs ?? RUN_MS,
    });
    const calls = task
      .getCalls()
      .toSorted((a, b) => a.atMs - b.atMs)
      .map(
        ({ atMs, path, key, status, outcome }) =>
          `${(atMs - startedAtMs) / 1000} s ${path} ${key} ${status} ${outcome}`,
      );
    const tools = JSON.stringify(task.getCalls().find(({ body }) => body["tools"] !== undefined)?.body["tools"]);
    const trace = [
      `code ${result.code}`,
      result.stdout.slice(-3000),
      result.stderr.slice(-3000),
      `tools ${tools}`,
      ...calls,
    ].join("\n");
    const charges = await task.readCharges();
    const refused = task.getCalls().filter(({ outcome }) => outcome === "refused").length;
    const seen = { sockets: address.countSockets(), costs: address.listCosts() };
    return { result, conversation: task.conversation, notes: readNotes(home.work), charges, refused, seen, trace };
  } finally {
    address.stop();
    home.remove();
  }
}

const CLIENTS = [aider, ...AGENTS, ...CODEX, ...FRAMEWORKS];
const RUNS = CLIENTS.flatMap((client, index) => {
  const title = [client.id, client.variant].filter((part) => part !== undefined).join(" ");
  const count = client.needsAllKinds ? KINDS.length : KINDS_PER_CLIENT;
  // A short run uses another kind of provider for each client.
  return Array.from({ length: count }, (_, at) => {
    const kind = KINDS[(index + at) % KINDS.length] as Kind;
    return { client, title, kind, name: kind.kind };
  });
});
const installations = installClients([...new Set(CLIENTS.map(({ id }) => id))], readLeftOut());

/** The last task of each model: one at a time uses it. */
const lanes = new Map<string, Promise<unknown>>();
function inTurn<Result>(model: string, run: () => Promise<Result>): Promise<Result> {
  const before = lanes.get(model) ?? Promise.resolve();
  const result = before.then(run);
  lanes.set(
    model,
    result.catch(() => undefined),
  );
  return result;
}

let hasRun = false;
const reasons = new Map<string, string>();
afterAll(() => {
  for (const [id, reason] of reasons) console.warn(`SKIPPED: ${id}: ${reason}`);
  if (!hasRun && ![...reasons.values()].every(isOutOfReach)) throw new Error("no client has run");
});

it.concurrent.for(RUNS)(
  "$title, set up by its snippet, finishes its task on a model of $name and is charged what it reads",
  { timeout: TEST_MS },
  async ({ client, kind }, { skip, onTestFailed }) => {
    const installed = (await installations.get(client.id)) ?? { reason: "not installed" };
    if ("reason" in installed) {
      reasons.set(client.id, installed.reason);
      return skip(installed.reason);
    }
    const ran = await inTurn(kind.model, async () => {
      if (Date.now() > DONE_MS) return undefined;
      hasRun = true;
      return runTask(client, kind, installed);
    });
    if (!ran) return skip("CLIENTS_SECONDS are over");
    const { result, conversation, notes, charges, refused, seen, trace } = ran;
    const { steps, texts, compactsAfter } = client.script(kind);
    const turns = texts?.turns.length ?? steps.length + 1;
    onTestFailed(() => console.warn(`${client.id} with a model of ${kind.kind}:\n${trace}`));
    if (process.env["CLIENTS_TRACE"] === "true") console.warn(trace);
    expect(conversation.problems).toEqual([]);
    expect(notes).toBe(client.notes);
    expect(result.code).toBe(0);
    expect(result.stdout).toContain(FINAL_TEXT);
    const { background, compactions, turns: served } = conversation.counts();
    expect(compactions).toBe(compactsAfter === undefined ? 0 : 1);
    expect(served).toBe(turns);
    expect(seen.sockets > 0).toBe(client.usesWebSocket === true);
    expect(refused).toBe(REFUSED_CALLS);
    expect(charges).toMatchObject({
      served: turns + compactions + background,
      rows: charges.served,
      outputTokens: charges.servedTokens,
      spent: charges.charged,
      expected: charges.charged,
    });
    expect(charges.spent).toBeGreaterThan(0);
    // Each call reports the cost of its row, in the header or trailer and in the usage, where the client requests one.
    const reported = seen.costs.map(({ header }) => header);
    const sort = (costs: readonly number[]) => costs.toSorted((one, other) => one - other);
    expect(sort(reported)).toEqual(sort(charges.costs));
    expect(seen.costs.map(({ header, body }) => body ?? header)).toEqual(reported);
  },
);
