import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { inDollars } from "../../lib/charged-post.ts";
import { useTestSite } from "../../lib/test-site-world.ts";

const run = promisify(execFile);
const FOLDER = resolve(import.meta.dirname, "../../../examples/clients");
const CALL = { text: "", toolCalls: [{ name: "get_time", arguments: { zone: "Africa/Lagos" } }] };

const at = useTestSite();

describe("example of a client", () => {
  it.each([
    ["openai-chat.ts", "gpt-4o-mini"],
    ["openai-chat.ts", "claude-3-5-sonnet-20241022"],
    ["openai-responses.ts", "gpt-4o-mini"],
    ["openai-responses.ts", "gemini-2.0-flash"],
    ["anthropic-messages.ts", "claude-3-5-sonnet-20241022"],
    ["anthropic-messages.ts", "gpt-4o-mini"],
    ["gemini-generate.ts", "gemini-2.0-flash"],
    ["gemini-generate.ts", "gpt-4o-mini"],
  ])("%s runs the tool, prints the text and what both calls cost, on %s", { timeout: 60_000 }, async (file, model) => {
    const name = `${file} ${model}`;
    const { key } = await at.testSite.token({ name: name.slice(0, 30) });
    at.upstream.next({}, CALL, { text: "It is noon in Lagos." });
    const env = {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      TURNPIKE_URL: at.world.relayUrl,
      TURNPIKE_API_KEY: key,
      MODEL: model,
    };
    const { stdout } = await run(process.execPath, [join(FOLDER, file)], { env, timeout: 50_000 });
    const [, text, dollars] = /^(.*)\ncost: \$([\d.e-]+)\n$/s.exec(stdout) ?? [];
    expect(text).toBe("It is noon in Lagos.");
    expect(JSON.stringify(at.upstream.calls.at(-1)?.body)).toMatch(/\d\d:\d\d:\d\d/);
    const charged = await at.testSite.eventually("both calls are posted", 15_000, async () => {
      const { items: own } = await at.testSite.logs({ token_name: name.slice(0, 30), type: 2 });
      return own.length === 2 ? own.reduce((sum, { quota }) => sum + quota, 0) : undefined;
    });
    expect(charged).toBeGreaterThan(0);
    expect(Number(dollars)).toBeCloseTo(inDollars(charged), 12);
  });

  it("names the releases of the libraries that the tests use", () => {
    const read = (path: string) => JSON.parse(readFileSync(path, "utf8")) as Record<string, Record<string, string>>;
    const { dependencies = {} } = read(join(FOLDER, "package.json"));
    const { devDependencies } = read(resolve(import.meta.dirname, "../../package.json"));
    expect(devDependencies).toMatchObject(dependencies);
  });
});
