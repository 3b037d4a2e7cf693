import { readFileSync } from "node:fs";
import { join } from "node:path";
import { environmentProblems, isService, namesReadBy, SERVICES } from "./environment-problems.ts";
import { CHART, render } from "./helm.ts";
import { getPod } from "./pods.ts";

/** Sample Secret contents, used to check that the whole environment is accepted. */
const SECRETS: Readonly<Record<string, string>> = {
  MASTER_KEY: "x".repeat(32),
  INTERNAL_SECRET: "x".repeat(32),
  MONGODB_URL: "mongodb://a/turnpike",
  REDIS_URL: "redis://a",
  NATS_URL: "nats://a",
  ROOT_PASSWORD: "password-1",
};

/** Checks that every service gets what its config needs, and nothing that it does not read. */
export const checkEnvironment = (shape: string): string[] =>
  render([shape]).flatMap((manifest) =>
    (getPod(manifest)?.containers ?? []).flatMap((container) => {
      if (!isService(container.name)) return [];
      const given = (container.env ?? []).map(({ name, value }) => [name, value ?? SECRETS[name] ?? ""] as const);
      return environmentProblems(container.name, Object.fromEntries(given)).map((problem) => `${shape}: ${problem}`);
    }),
  );

/** Set by the image, only used in installs without Kubernetes, or part of NATS_URL here. */
const NOT_OF_THE_CHART = new Set(["WEB_DIST", "WORKER_INDEX", "NATS_USER", "NATS_PASSWORD", "NATS_TOKEN"]);
const NAMES = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g;

/** The variables named as further settings in the comments before a service's block in values.yaml. */
function namedSettings(service: string): Set<string> {
  const lines = readFileSync(join(CHART, "values.yaml"), "utf8").split("\n");
  const blocks = lines.slice(lines.indexOf("services:"));
  const at = blocks.findIndex((line) => line.startsWith(`  ${service}:`));
  let from = at;
  while (blocks[from - 1]?.startsWith("  #") === true) from--;
  return new Set(blocks.slice(from, at).join(" ").match(NAMES) ?? []);
}

function unsettable(service: string, given: ReadonlySet<string>): string[] {
  const read = namesReadBy(service).filter((name) => !NOT_OF_THE_CHART.has(name));
  const named = namedSettings(service);
  return [
    ...read
      .filter((name) => !given.has(name) && !named.has(name))
      .map((name) => `${service} reads ${name}, which no shape gives and values.yaml does not name`),
    ...[...named]
      .filter((name) => !read.includes(name))
      .map((name) => `values.yaml names ${name} of ${service}, which it does not read`),
  ];
}

/**
 * Checks that every variable a service reads is set by a value in some shape, or named as one of its further settings.
 */
export function checkSettings(shapes: readonly string[]): string[] {
  const containers = shapes.flatMap((shape) =>
    render([shape]).flatMap((manifest) => (manifest.kind === "Deployment" ? (getPod(manifest)?.containers ?? []) : [])),
  );
  return SERVICES.flatMap((service) => {
    const own = containers.filter(({ name }) => name === service);
    return unsettable(service, new Set(own.flatMap(({ env = [] }) => env.map(({ name }) => name))));
  });
}
