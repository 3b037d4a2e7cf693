import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { join, resolve } from "node:path";
import { findOnPath } from "./backing/find-on-path.ts";

/** Lints and renders the chart for each shape in its ci folder, and checks that an incomplete one is refused with advice. */
const chart = join(resolve(import.meta.dirname, ".."), "deploy/helm/turnpike");
const helm = findOnPath("helm");

function render(...args: string[]): string {
  return execFileSync(helm ?? "helm", args, {
    encoding: "utf8",
    timeout: 60_000,
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 16 * 1024 ** 2,
  });
}

function checkShape(values: string): void {
  render("lint", chart, "--strict", "--values", values);
  const text = render("template", "trial", chart, "--values", values);
  const deployments = text.match(/^kind: Deployment$/gm)?.length ?? 0;
  if (deployments !== 6) throw new Error(`${values} renders ${deployments} deployments instead of 6`);
  console.log(`${values.slice(chart.length + 1)}: right`);
}

function checkRefusal(): void {
  try {
    render("template", "trial", chart);
  } catch (error) {
    if (String((error as { stderr?: string }).stderr).includes("backing.mongodbUrl")) return;
    throw error;
  }
  throw new Error("the chart renders without any backing service");
}

if (helm === undefined) {
  console.error("helm is not installed: https://helm.sh/docs/intro/install");
  process.exit(1);
}
for (const values of globSync(join(chart, "ci/*-values.yaml"))) checkShape(values);
checkRefusal();
