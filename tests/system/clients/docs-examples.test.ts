import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { useTestSite } from "../../lib/test-site-world.ts";

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, "../../..");
/** Inside the repository, so that the examples find the SDKs. */
const FOLDER = join(ROOT, "tests/.examples");
const PYTHON = join(ROOT, ".turnpike/python-sdks");
const RUN_MS = 60_000;

type Example = { readonly name: string; readonly language: string; readonly code: string };

/** The code of a page, each with the heading or the line above it. */
function readExamples(page: string): Example[] {
  const text = readFileSync(join(ROOT, "docs", page), "utf8");
  return [...text.matchAll(/^([^\n`|]+)\n\n```(sh|ts|python)\n(.*?)```/gms)].map(
    ([, above = "", language = "", code = ""], index) => ({ name: `${index}: ${above}`, language, code }),
  );
}

const at = useTestSite();
let key = "";
beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  ({ key } = await at.testSite.token({ unlimited_quota: true }));
  return () => rmSync(FOLDER, { recursive: true, force: true });
});

/** Runs a program with the key in its environment, as a reader would; returns its output. */
async function runExample(program: string, args: readonly string[]): Promise<string> {
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], TURNPIKE_API_KEY: key };
  return (await run(program, [...args], { env, cwd: FOLDER, timeout: RUN_MS })).stdout;
}

/** The example with this install's address. */
const toLocal = (code: string): string => code.replaceAll("http://localhost:3001", at.world.relayUrl);

function store(name: string, code: string): string {
  const file = join(FOLDER, name);
  writeFileSync(file, toLocal(code));
  return file;
}

const examples = readExamples("api/examples.md");
const of = (language: string): Example[] => examples.filter((example) => example.language === language);

describe("example of the documentation", () => {
  it("is the same in English and Chinese", () => {
    expect(readExamples("zh/api/examples.md").map(({ code }) => code)).toEqual(examples.map(({ code }) => code));
    expect(examples.length).toBeGreaterThan(9);
  });

  it.each(of("sh"))("runs unchanged with curl: $name", async ({ code }) => {
    expect(JSON.parse(await runExample("bash", ["-ec", toLocal(code)]))).not.toHaveProperty("error");
  });

  it.each(of("ts"))(
    "runs unchanged in TypeScript: $name",
    async ({ name, code }) => {
      expect(
        await runExample(process.execPath, [store(`${name.slice(0, 2).trim().replace(":", "")}.ts`, code)]),
      ).toMatch(/\w/);
    },
    RUN_MS,
  );

  it("serves the quick start's call", async () => {
    const [call] = readExamples("quick-start.md");
    expect(JSON.parse(await runExample("bash", ["-ec", toLocal(call?.code ?? "false")]))).toHaveProperty("choices");
  });
});

/** Python with the SDKs; undefined where they cannot be installed. */
async function installPython(): Promise<string | undefined> {
  const python = join(PYTHON, "bin/python");
  try {
    if (!existsSync(python)) await run("python3", ["-m", "venv", PYTHON], { timeout: RUN_MS });
    const install = ["-m", "pip", "install", "--quiet", "openai==1.109.1", "anthropic==0.69.0"];
    await run(python, install, { timeout: 180_000 });
    return python;
  } catch (error) {
    console.warn(`Python examples skipped: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`);
    return undefined;
  }
}

describe("Python example of the documentation", () => {
  let python: string | undefined;
  beforeAll(async () => {
    python = await installPython();
  }, 300_000);

  it.for(of("python"))("runs unchanged: $name", { timeout: RUN_MS }, async ({ name, code }, { skip }) => {
    if (python === undefined) return skip("the SDKs cannot be installed");
    expect(await runExample(python, [store(`${name.slice(0, 2).replace(":", "")}.py`, code)])).toMatch(/\w/);
  });
});
