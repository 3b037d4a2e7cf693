import { join } from "node:path";
import { readFileSync } from "node:fs";
import { MODEL_API_PREFIXES } from "@turnpike/contract/api/models/model-api-paths";
import { expect, it } from "vitest";
import { CHART } from "./helm.ts";

const HEADER = `# Prefixes of the model API by the service that the ingress sends them to. Written from
# services/contract/src/api/models/model-api-paths.ts by: vitest run --project unit scripts/chart -u
`;

const toPaths = (ingress: "relay" | "gateway"): string[] =>
  MODEL_API_PREFIXES.filter((prefix) => prefix.ingress === ingress).map(({ prefix }) => `${prefix}/`);

it("keeps the chart's paths equal to the declared prefixes", async () => {
  const text = `${HEADER}relay:\n${toPaths("relay")
    .map((path) => `  - ${path}\n`)
    .join("")}`;
  await expect(text).toMatchFileSnapshot(join(CHART, "files/model-api-paths.yaml"));
});

it.each(["ingress", "httproute"])("routes those paths to the relay and all others to the gateway: %s", (template) => {
  const text = readFileSync(join(CHART, `templates/${template}.yaml`), "utf8");
  expect(text).toContain('(.Files.Get "files/model-api-paths.yaml" | fromYaml).relay');
  expect(text).toMatch(/(path: \/\n|value: \/ \}\n)[\s\S]*"gateway"/);
  expect(text).not.toMatch(/[ "]\/v1/);
});
