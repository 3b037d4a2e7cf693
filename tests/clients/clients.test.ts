import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
import { type Installation, type InstalledClient, installClients, isOutOfReach } from "./install.ts";

const RUN_MS = 150_000;
const INSTALL_MS = 420_000;
/** No client is started later. */
const untilMs = Date.now() + Number(process.env["CLIENTS_SECONDS"] ?? 3600) * 1000;
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
    return { result, task, notes: readNotes(home.work), sockets: address.countSockets(), trace };
  } finally {
    address.stop();
    home.remove();
  }
}

const CLIENTS = [...AGENTS, ...CODEX, ...FRAMEWORKS, aider].map((client, index) => ({
  client,
  title: [client.id, client.variant].filter((part) => part !== undefined).join(" "),
  // A short run uses another kind of provider for each client.
  kinds: Array.from({ length: KINDS_PER_CLIENT }, (_, at) => KINDS[(index + at) % KINDS.length] as Kind),
}));
const installations = installClients([...new Set(CLIENTS.map(({ client }) => client.id))]);

let hasRun = false;
const reasons: string[] = [];
afterAll(() => {
  if (!hasRun && !reasons.every(isOutOfReach)) throw new Error("no client has run");
});

describe.each(CLIENTS)("$title, set up by its snippet", ({ client, title, kinds }) => {
  let installed: Installation = { reason: "not installed" };
  beforeAll(async () => {
    const waitMs = Math.max(0, Math.min(INSTALL_MS - 10_000, untilMs - Date.now()));
    const late = sleep(waitMs, { reason: "its installation takes too long" }, { ref: false });
    installed = (await Promise.race([installations.get(client.id), late])) ?? installed;
    if (!("reason" in installed)) return;
    reasons.push(installed.reason);
    console.warn(`SKIPPED: ${title}: ${installed.reason}`);
  }, INSTALL_MS);

  it.concurrent.for(kinds)(
    "finishes its task on a model of $kind and is charged once for each call",
    { timeout: RUN_MS + 60_000 },
    async (kind, { skip, onTestFailed }) => {
      if ("reason" in installed) return skip(installed.reason);
      hasRun = true;
      const { result, task, notes, sockets, trace } = await runTask(client, kind, installed);
      const { steps, texts, compactsAfter } = client.script(kind);
      const turns = texts?.turns.length ?? steps.length + 1;
      onTestFailed(() => console.warn(`${client.id} with a model of ${kind.kind}:\n${trace}`));
      if (process.env["CLIENTS_TRACE"] === "true") console.warn(trace);
      expect(task.conversation.problems).toEqual([]);
      expect(notes).toBe(client.notes);
      expect(result.code).toBe(0);
      expect(result.stdout).toContain(FINAL_TEXT);
      const { background, compactions, turns: served } = task.conversation.counts();
      expect(compactions).toBe(compactsAfter === undefined ? 0 : 1);
      expect(served).toBe(turns);
      expect(sockets > 0).toBe(client.usesWebSocket === true);
      expect(task.getCalls().filter(({ outcome }) => outcome === "refused")).toHaveLength(REFUSED_CALLS);
      const charges = await task.readCharges();
      expect(charges).toMatchObject({
        served: turns + compactions + background,
        rows: charges.served,
        outputTokens: charges.servedTokens,
        spent: charges.charged,
        expected: charges.charged,
      });
      expect(charges.spent).toBeGreaterThan(0);
    },
  );
});
