import { execFile, spawn } from "node:child_process";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import type { DeclaredReport } from "@turnpike/contract/api/declared";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { openaiClient } from "../../lib/clients.ts";
import type { ConsoleClient } from "../../lib/console-client.ts";
import { useTestSite } from "../../lib/test-site-world.ts";
import { startWorld, type World } from "../../lib/world.ts";

const run = promisify(execFile);
const MAIN = resolve(import.meta.dirname, "../../../services/gateway/src/declared/main.ts");
const CALL = { model: "gpt-4o-mini", messages: [{ role: "user" as const, content: "Hello" }] };

const at = useTestSite();
const folder = mkdtempSync(join(tmpdir(), "turnpike-declared-"));
let fresh: World;
beforeAll(async () => {
  fresh = await startWorld({ backing: testBacking() });
}, 120_000);
afterAll(async () => {
  await fresh.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

const getAccessToken = (root: ConsoleClient): Promise<string> => root.get<string>("/api/user/token");

function toEnv(world: World, token: string, secrets: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], TURNPIKE_URL: world.consoleUrl, TURNPIKE_TOKEN: token, ...secrets };
}

const turnpike = (env: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<Ended> =>
  run(process.execPath, [MAIN, ...args], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );

function writeFile(name: string, text: string): string {
  const path = join(folder, name);
  // In one step: a reconciler that reads meanwhile finds the old text or the new one.
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
  return path;
}

/** Fills the first site with everything that a file can declare; returns the key of the user's token. */
async function fill(): Promise<{ readonly key: string; readonly username: string }> {
  const { root } = at.testSite;
  await root.put("/api/option/batch", {
    options: [
      { key: "SystemName", value: "Filled" },
      { key: "RetryTimes", value: "1" },
    ],
  });
  await root.put("/api/option/", { key: "SMTPToken", value: "mail-secret" });
  const changes = [
    { key: "ModelRatio", set: { "gpt-4o-mini": 7.5 } },
    { key: "CompletionRatio", set: { "gpt-4o-mini": 3 } },
    { key: "GroupRatio", set: { gold: 0.5 } },
  ];
  await root.put("/api/option/prices", { changes, confirmed: true });
  const usable = JSON.stringify({ default: "default", gold: "Gold customers" });
  await root.put("/api/option/", { key: "UserUsableGroups", value: usable });
  const channels = await root.get<{ id: number; name: string }[]>("/api/channel/", { page_size: 100 });
  const openai = channels.find(({ name }) => name === "openai")?.id;
  const mapping = JSON.stringify({ "gpt-4o-mini": "gpt-4o" });
  await root.put("/api/channel/", { id: openai, group: "default,gold", priority: 5, model_mapping: mapping });
  const user = await at.testSite.createUser(50_000_000);
  await root.put("/api/user/", { id: user.id, group: "gold" });
  const { key } = await at.testSite.token(
    { name: "production", model_limits_enabled: true, model_limits: "gpt-4o-mini", tokens_per_minute: 100_000 },
    user.client,
  );
  await at.testSite.token({ name: "second", unlimited_quota: true, budget_period: "" }, user.client);
  return { key, username: user.username };
}

/** The charge of one call with a key. */
async function getCharge(world: World, root: ConsoleClient, key: string): Promise<unknown> {
  await openaiClient(world.relayUrl, key).chat.completions.create(CALL);
  return at.testSite.eventually("the log row of the call", 15_000, async () => {
    const { items } = await root.get<{ items: Record<string, unknown>[] }>("/api/log/", {
      p: 1,
      page_size: 10,
      type: 2,
    });
    const [row] = items;
    return row && { quota: row["quota"], model: row["model_name"], token: row["token_name"], group: row["group"] };
  });
}

let exported = "";
let secrets: Record<string, string> = {};
let freshEnv: NodeJS.ProcessEnv = {};
let root: ConsoleClient;

it("exports a filled site so that an apply to an empty one gives the same site", async () => {
  const { key, username } = await fill();
  const filledEnv = toEnv(at.world, await getAccessToken(at.testSite.root), {});
  const first = await turnpike(filledEnv, "export");
  expect(first).toMatchObject({ code: 0, stderr: "" });
  exported = first.stdout;
  for (const secret of [key.slice(3), "mail-secret", "up-openai-key"]) expect(exported).not.toContain(secret);

  root = await fresh.root();
  secrets = Object.fromEntries([...exported.matchAll(/env: (\w+)/g)].map(([, name = ""]) => [name, `up-${name}`]));
  const tokenNames = Object.keys(secrets).filter((name) => name.startsWith("TURNPIKE_TOKEN_"));
  tokenNames.forEach((name, index) => (secrets[name] = `sk-${String(index).padStart(48, "k")}`));
  const production = tokenNames.find((name) => name.endsWith("_PRODUCTION")) ?? "";
  secrets[production] = key;
  freshEnv = toEnv(fresh, await getAccessToken(root), secrets);
  const path = writeFile("site.yaml", exported);
  const before = await turnpike(freshEnv, "diff", "-f", path);
  expect([before.code, before.stderr]).toEqual([1, ""]);
  const applied = await turnpike(freshEnv, "apply", "-f", path);
  expect(applied).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("+ channel openai") as string });

  const again = await turnpike(freshEnv, "apply", "-f", path);
  expect(again).toMatchObject({ code: 0, stdout: "the site is as declared\n" });
  expect(parse((await turnpike(freshEnv, "export")).stdout)).toEqual(parse(exported));

  // The same key is routed and priced the same.
  const users = await root.get<{ items: { id: number; username: string }[] }>("/api/user/", { p: 1, page_size: 10 });
  const id = users.items.find((user) => user.username === username)?.id;
  await root.put("/api/user/", { id, quota: 50_000_000 });
  const charge = await getCharge(fresh, root, key);
  expect(charge).toEqual(await getCharge(at.world, at.testSite.root, key));
  expect(charge).toMatchObject({ quota: expect.any(Number), token: "production", group: "gold" });
}, 180_000);

it("keeps the tokens of the exported site when the export is applied to it", async () => {
  const { key, username } = await fill();
  const path = writeFile(
    "own.yaml",
    `version: 1
users:
  - { username: ${username}, group: gold, tokens: [{ name: production, key: { env: KEY }, models: [gpt-4o] }] }
`,
  );
  const env = toEnv(at.world, await getAccessToken(at.testSite.root), { KEY: key });
  const applied = await turnpike(env, "apply", "-f", path);
  expect(applied.stdout).toContain(`~ token ${username}/production`);
  expect(applied.stdout).toContain('models: ["gpt-4o-mini"] → ["gpt-4o"]');
  await expect(openaiClient(at.world.relayUrl, key).chat.completions.create(CALL)).rejects.toThrow("gpt-4o-mini");
  await openaiClient(at.world.relayUrl, key).chat.completions.create({ ...CALL, model: "gpt-4o" });
  expect((await turnpike(env, "diff", "-f", path)).stdout).toBe("the site is as declared\n");
}, 60_000);

it("changes nothing for a wrong file, and reports what was done when an apply fails", async () => {
  const wrong = writeFile("wrong.yaml", "version: 1\noptions:\n  SystemName: Never\n  Unknown: 1\n");
  const refused = await turnpike(freshEnv, "apply", "-f", wrong);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("wrong.yaml:4:12: options.Unknown: unknown option");
  const half = writeFile(
    "half.yaml",
    `version: 1
options: { SystemName: Half }
channels:
  - { name: bad, type: OpenAI, key: { env: TURNPIKE_CHANNEL_OPENAI }, models: [x], base_url: "not a url" }
users: [{ username: later }]
`,
  );
  const failed = await turnpike(freshEnv, "apply", "-f", half);
  expect(failed.code).toBe(1);
  expect(failed.stdout).toMatch(
    /~ option SystemName[\s\S]*FAILED[\s\S]*channel bad[\s\S]*not attempted:\n\+ user later/,
  );
  const rows = await root.get<{ key: string; value: string }[]>("/api/option/");
  expect(rows.find(({ key }) => key === "SystemName")?.value).toBe("Half");
}, 60_000);

it("removes what is no longer declared with prune only", async () => {
  const text = exported.replace(/\n {2}- name: custom\n(?: {4}.*\n| {6}.*\n)*/, "\n");
  expect(text).not.toBe(exported);
  const path = writeFile("less.yaml", text);
  const kept = await turnpike(freshEnv, "apply", "-f", path);
  expect(kept.stdout).toContain("1 objects are no longer declared; --prune removes them");
  const read = async () =>
    (await root.get<{ name: string }[]>("/api/channel/", { page_size: 100 })).map(({ name }) => name);
  expect(await read()).toContain("custom");
  const pruned = await turnpike(freshEnv, "apply", "-f", path, "--prune");
  expect(pruned.stdout).toContain("- channel custom");
  expect(await read()).not.toContain("custom");
}, 60_000);

type FindReport = (what: string, match: (report: DeclaredReport) => boolean) => Promise<DeclaredReport>;

/** Replaces a secret option in the console, then enters the declared one again. */
async function expectReplacedSecretToDrift(find: FindReport): Promise<void> {
  const isSecret = ({ kind, name }: DeclaredReport["drifts"][number]) => kind === "option" && name === "SMTPToken";
  await root.put("/api/option/", { key: "SMTPToken", value: "somebody-elses-secret" });
  const replaced = await find("the replaced secret", ({ drifts }) => drifts.some(isSecret));
  expect(replaced.drifts.find(isSecret)?.fields).toEqual([
    { field: "value", declared: "(secret)", actual: "(another or unknown one)" },
  ]);
  const declared = secrets["TURNPIKE_OPTION_SMTPTOKEN"] ?? "";
  const marks = await root.get<Record<string, string>>("/api/declared/secrets");
  expect(marks["SMTPToken"]).toMatch(/^[0-9a-f]{32}$/);
  for (const shown of [JSON.stringify(replaced), JSON.stringify(marks)])
    for (const secret of [declared, "somebody-elses-secret"]) expect(shown).not.toContain(secret);
  await root.put("/api/option/", { key: "SMTPToken", value: declared });
  await find("the declared secret", ({ drifts }) => drifts.every((drift) => !isSecret(drift)));
}

it("reconciles: reports a drift, applies a changed file, and ends on SIGTERM", async () => {
  const path = writeFile("live.yaml", exported);
  const child = spawn(process.execPath, [MAIN, "reconcile", "-f", path], { env: freshEnv, stdio: "ignore" });
  const ended = new Promise((done) => child.once("exit", done));
  const readReport = () => root.get<DeclaredReport>("/api/declared/report");
  const find = (what: string, match: (report: DeclaredReport) => boolean) =>
    at.testSite.eventually(what, 30_000, async () => {
      // As seldom as the console: requests of one address are limited.
      await pause(450);
      const report = await readReport();
      return match(report) ? report : undefined;
    });
  try {
    await find(
      "the first apply",
      ({ interval, drifts, problem }) => interval === 5 && drifts.length === 0 && problem === "",
    );
    const channels = await root.get<{ id: number; name: string }[]>("/api/channel/", { page_size: 100 });
    const openai = channels.find(({ name }) => name === "openai")?.id;
    await root.put("/api/channel/", { id: openai, priority: 9, key: "sk-somebody-else" });
    const drifted = await find("the drift", ({ drifts }) => drifts.length > 0);
    expect(drifted.drifts).toMatchObject([
      {
        kind: "channel",
        name: "openai",
        action: "update",
        fields: [{ field: "priority", declared: "5", actual: "9" }, { field: "key" }],
      },
    ]);
    expect(JSON.stringify(drifted)).not.toContain(secrets["TURNPIKE_CHANNEL_OPENAI"]);
    await expectReplacedSecretToDrift(find);
    writeFile("live.yaml", exported.replace("SystemName: Filled", "SystemName: Changed"));
    await find("the apply of the changed file", ({ drifts }) => drifts.length === 0);
    writeFile("live.yaml", "version: 1\nnothing: 1\n");
    const wrong = await find("the problem", ({ problem }) => problem !== "");
    expect(wrong.problem).toContain("live.yaml:2:");
  } finally {
    child.kill("SIGTERM");
  }
  expect(await ended).toBe(0);
}, 240_000);
