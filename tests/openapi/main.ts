/**
 * Sends generated requests of every operation in the OpenAPI documents to a running system. Fails for a 5xx, and for a status, a
 * content type or a shape that the document does not name.
 *
 * OPENAPI_SECONDS (300): how long each document is tested. Without Python or its package index the test is skipped, with the reason.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiDocument } from "../../scripts/openapi/api-document.ts";
import { createModelDocument } from "../../scripts/openapi/model-document.ts";
import { startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { CHANNELS, openTestSite } from "../lib/test-site.ts";
import { startWorld } from "../lib/world.ts";
import { installSchemathesis } from "./python.ts";

const SECONDS = Number(process.env["OPENAPI_SECONDS"] ?? 300);
const CHECKS = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_schema_conformance",
].join(",");
/** It ends the access token in use, so it is called with a session, after all others. */
const LAST = "getUserToken";

/** Generated addresses are long: refusals of their length would hide what lies behind. */
const NODE_OPTIONS = "--max-http-header-size=262144";

const print = (line: string): void => void process.stdout.write(`${line}\n`);

type Check = {
  readonly file: string;
  readonly url: string;
  readonly headers: readonly string[];
  /** Arguments that select operations. */
  readonly selection?: readonly string[];
};

/** Runs Schemathesis on one document; resolves to whether nothing was found. */
function check(program: string, { file, url, headers, selection }: Check): Promise<boolean> {
  const args = ["run", file, "--url", url, "--checks", CHECKS, "--phases", "coverage,fuzzing", "--continue-on-failure"];
  const limits = ["--max-time", String(SECONDS), "--workers", "1", "--seed", "1", "--request-timeout", "45"];
  const child = spawn(
    program,
    [...args, ...limits, ...(selection ?? []), "--warnings", "off", ...headers.flatMap((header) => ["-H", header])],
    { stdio: "inherit", env: { ...process.env, NO_COLOR: "1" } },
  );
  return new Promise((resolve) => child.once("close", (code) => resolve(code === 0)));
}

const MODELS = CHANNELS.flatMap(({ models }) => models.split(","));

/** The document for a system with these models: without their names no call would reach an upstream. */
function withModels<Document>(document: Document): Document {
  return JSON.parse(JSON.stringify(document), (key, value: unknown) =>
    key === "model" && typeof value === "object" ? { type: "string", enum: MODELS } : value,
  ) as Document;
}

/** A system with channels, its two documents, and the credentials to call it. */
async function checkSystem(program: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-openapi-"));
  const upstream = await startFakeUpstream();
  const world = await startWorld({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false", NODE_OPTIONS } });
  const write = (name: string, document: object): string => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(document));
    return file;
  };
  try {
    const site = await openTestSite(world, upstream.url);
    const { key } = await site.token({ unlimited_quota: true });
    const model = write("model-api.json", withModels(await createModelDocument({ version: "test" })));
    print("\nThe model API");
    const isModelApiGood = await check(program, {
      file: model,
      url: world.relayUrl,
      headers: [`Authorization: Bearer ${key}`],
    });
    print("\nThe console's API");
    const accessToken = await site.root.get<string>("/api/user/token");
    const api = write("api.json", await createApiDocument({ version: "test", isStrict: true }));
    const url = world.consoleUrl;
    const headers = [`Authorization: Bearer ${accessToken}`];
    const isApiGood = await check(program, { file: api, url, headers, selection: ["--exclude-operation-id", LAST] });
    const session = [
      `Cookie: ${[...site.root.cookies].map(([name, value]) => `${name}=${value}`).join("; ")}`,
      `Origin: ${url}`,
    ];
    const isLastGood = await check(program, {
      file: api,
      url,
      headers: session,
      selection: ["--include-operation-id", LAST],
    });
    return isModelApiGood && isApiGood && isLastGood;
  } finally {
    await world.stop();
    await upstream.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const installed = await installSchemathesis();
if ("reason" in installed) print(`SKIPPED: Schemathesis cannot be installed: ${installed.reason}`);
else if (await checkSystem(installed.program)) print("both APIs are as documented");
else process.exitCode = 1;
