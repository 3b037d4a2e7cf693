import { AuthConfig } from "../../services/auth/src/config.ts";
import { BillingConfig } from "../../services/billing/src/config.ts";
import { ChannelConfig } from "../../services/channel/src/config.ts";
import { GatewayConfig } from "../../services/gateway/src/config.ts";
import { MessagingConfig } from "../../services/messaging/src/config.ts";
import { RelayConfig } from "../../services/relay/src/config.ts";
import type { z } from "zod";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CHART, render } from "./helm.ts";
import { type Container, podOf } from "./pods.ts";

const CONFIGS: Readonly<Record<string, z.ZodObject>> = {
  auth: AuthConfig,
  billing: BillingConfig,
  channel: ChannelConfig,
  gateway: GatewayConfig,
  messaging: MessagingConfig,
  relay: RelayConfig,
};
/** Read by the OpenTelemetry SDK itself. */
const NOT_OURS = /^OTEL_/;
/** What a Secret may hold, to see whether the whole is accepted. */
const SECRETS: Readonly<Record<string, string>> = {
  MASTER_KEY: "x".repeat(32),
  INTERNAL_SECRET: "x".repeat(32),
  MONGODB_URL: "mongodb://a/turnpike",
  REDIS_URL: "redis://a",
  NATS_URL: "nats://a",
  ROOT_PASSWORD: "password-1",
};

function problemsOf({ name, env = [] }: Container, config: z.ZodObject): string[] {
  const known = new Set(Object.keys(config.shape));
  const strange = env
    .map((variable) => variable.name)
    .filter((variable) => !known.has(variable) && !NOT_OURS.test(variable));
  const values = Object.fromEntries(
    env.map((variable) => [variable.name, variable.value ?? SECRETS[variable.name] ?? ""]),
  );
  const read = config.safeParse(values);
  return [
    ...strange.map((variable) => `${name} is given ${variable}, which it does not read`),
    ...(read.success ? [] : read.error.issues.map(({ path, message }) => `${name}: ${path.join(".")} ${message}`)),
  ];
}

/** Whether every service gets what its config needs, and nothing that it does not read. */
export const checkEnvironment = (shape: string): string[] =>
  render([shape]).flatMap((manifest) =>
    (podOf(manifest)?.containers ?? []).flatMap((container) => {
      const config = CONFIGS[container.name];
      return config ? problemsOf(container, config).map((problem) => `${shape}: ${problem}`) : [];
    }),
  );

/** Of the image, or of installs without Kubernetes. */
const NOT_OF_THE_CHART = new Set(["WEB_DIST", "WORKER_INDEX"]);
const NAMES = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g;

/** The variables that the comments before a service's block in values.yaml name as its further settings. */
function namedSettings(service: string): Set<string> {
  const lines = readFileSync(join(CHART, "values.yaml"), "utf8").split("\n");
  const blocks = lines.slice(lines.indexOf("services:"));
  const at = blocks.findIndex((line) => line.startsWith(`  ${service}:`));
  let from = at;
  while (blocks[from - 1]?.startsWith("  #") === true) from--;
  return new Set(blocks.slice(from, at).join(" ").match(NAMES) ?? []);
}

function unsettable(service: string, given: ReadonlySet<string>): string[] {
  const read = Object.keys(CONFIGS[service]?.shape ?? {}).filter((name) => !NOT_OF_THE_CHART.has(name));
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

/** Whether every variable that a service reads is given by a value in some shape, or is named as one of its further settings. */
export function checkSettings(shapes: readonly string[]): string[] {
  const containers = shapes.flatMap((shape) =>
    render([shape]).flatMap((manifest) => (manifest.kind === "Deployment" ? (podOf(manifest)?.containers ?? []) : [])),
  );
  return Object.keys(CONFIGS).flatMap((service) => {
    const own = containers.filter(({ name }) => name === service);
    return unsettable(service, new Set(own.flatMap(({ env = [] }) => env.map(({ name }) => name))));
  });
}
