import { AuthConfig } from "../../services/auth/src/config.ts";
import { BillingConfig } from "../../services/billing/src/config.ts";
import { ChannelConfig } from "../../services/channel/src/config.ts";
import { GatewayConfig } from "../../services/gateway/src/config.ts";
import { MessagingConfig } from "../../services/messaging/src/config.ts";
import { RelayConfig } from "../../services/relay/src/config.ts";
import type { z } from "zod";
import { render } from "./helm.ts";
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
