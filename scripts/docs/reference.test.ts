import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { CHANNEL_TYPES } from "../../services/contract/src/api/channels/channel-types.ts";
import { ERRORS } from "../../services/contract/src/errors.ts";
import { OPTIONS } from "../../services/contract/src/options/option-definitions.ts";
import { RELAY_ERRORS } from "../../services/relay/src/core/errors/relay-error.ts";
import { namesReadBy, SERVICES } from "../chart/environment-problems.ts";
import { listServedRoutes } from "../openapi/api-document.ts";
import { toOpenApiPath } from "../openapi/api-operations.ts";
import { CALL_PARAMETERS, RESPONSE_HEADERS } from "../openapi/model-headers.ts";
import { listCommandVariables, listInstallTestVariables, listUpVariables, listVariables } from "./environment-page.ts";
import { listAllReads, listReads } from "./environment-reads.ts";
import { listStalePages, ROOT } from "./files.ts";
import { listMetrics } from "./metrics-page.ts";
import { PROVIDER_KEYS } from "./providers-page.ts";

// The pages are made of all source files, which takes long while other tests run.
vi.setConfig({ testTimeout: 120_000 });

const read = (name: string): string => readFileSync(join(ROOT, "docs", name), "utf8");
const missingIn = (name: string, words: readonly string[]): string[] => {
  const text = read(name);
  return words.filter((word) => !text.includes(`\`${word}\``));
};

it("keeps the generated pages current; make docs-reference writes them", async () => {
  expect((await listStalePages()).map(([path]) => path)).toEqual([]);
});

it("explains every option", () => {
  expect(missingIn("reference/options.md", Object.keys(OPTIONS))).toEqual([]);
  expect(read("reference/options.md")).not.toMatch(/^\| `[^|]+\| [^|]*\| {2}\|/m);
});

it("explains every error code", () => {
  expect(missingIn("reference/console-errors.md", Object.keys(ERRORS))).toEqual([]);
  for (const name of ["reference/model-errors.md", "zh/reference/model-errors.md"])
    expect(missingIn(name, Object.keys(RELAY_ERRORS))).toEqual([]);
});

it.each(["api/limits.md", "zh/api/limits.md"])("explains every header of the model API: %s", (name) => {
  const headers = [
    ...Object.keys(RESPONSE_HEADERS),
    ...Object.values(CALL_PARAMETERS).map((one) => String(one["name"])),
  ];
  const text = read(name).toLowerCase();
  expect(headers.filter((header) => !text.includes(`\`${header.toLowerCase()}\``))).toEqual([]);
});

it.each(["api", "zh/api"])("gives a spent balance the status that callers get: %s", (folder) => {
  // Decision 056: 402, and 429 in OpenAI's dialect.
  expect(read(`${folder}/limits.md`)).toMatch(/402[^|]*429 `insufficient_quota`|402[^|]*429[^|]*`insufficient_quota`/);
  expect(read(`${folder}/errors.md`)).toMatch(/^\| 402 .*429/m);
  expect(read(`${folder}/errors.md`)).not.toMatch(/^\| 40[13] .*(?:balance|余额)/m);
});

it("explains every metric", () => {
  expect(
    missingIn(
      "reference/metrics.md",
      listMetrics().map(({ name }) => name),
    ),
  ).toEqual([]);
  expect(listMetrics().filter(({ help }) => help === "")).toEqual([]);
});

describe("environment variables", () => {
  const all = [
    ...SERVICES.map((service) => [service, listVariables(service)] as const),
    ["make up", listUpVariables()] as const,
    ["helm test", listInstallTestVariables()] as const,
    ["turnpike", listCommandVariables()] as const,
  ];

  it("lists every variable on the page, whatever program reads it", () => {
    const reads = listAllReads();
    expect(reads.size).toBeGreaterThan(60);
    expect(missingIn("reference/environment.md", [...reads.keys(), ...SERVICES.flatMap(namesReadBy)])).toEqual([]);
  });

  it.each(all)("gives each variable of %s a sentence of its own", (_name, variables) => {
    const sentences = variables.map(({ text }) => text);
    expect(variables.filter(({ text }) => !/^[A-Z`].*\.$/.test(text))).toEqual([]);
    expect(sentences.filter((text, index) => sentences.indexOf(text) !== index)).toEqual([]);
  });

  it("finds a variable in every way that code reads it", () => {
    const read = (source: string): string[] => [...listReads("a.ts", source)].toSorted();
    expect(read('process.env["A"]; process.env.B; env["C_D"]; const { E: e } = process.env;')).toEqual([
      "A",
      "B",
      "C_D",
      "E",
    ]);
    expect(read('const get = (name: string) => process.env[name]; get("F_G"); get("other");')).toEqual(["F_G"]);
    expect(read('export const CODE = "NOT_READ"; values["H"];')).toEqual([]);
  });
});

it("lists every call of /api", () => {
  const calls = listServedRoutes()
    .filter(({ spec }) => spec !== undefined)
    .map(({ method, path }) => `${method.toUpperCase()} ${toOpenApiPath(path)}`);
  expect(missingIn("reference/console-calls.md", calls)).toEqual([]);
});

it("has a key for every channel type and a runbook for every alert", () => {
  expect(CHANNEL_TYPES.filter(({ id }) => PROVIDER_KEYS[id] === undefined)).toEqual([]);
  const names = readdirSync(join(ROOT, "deploy/runbooks")).filter((name) => name.endsWith(".md"));
  expect(names.filter((name) => !read("reference/runbooks.md").includes(`(../../deploy/runbooks/${name})`))).toEqual(
    [],
  );
});
