import type { z } from "zod";
import { AuthConfig } from "../../services/auth/src/config.ts";
import { BillingConfig } from "../../services/billing/src/config.ts";
import { ChannelConfig } from "../../services/channel/src/config.ts";
import { GatewayConfig } from "../../services/gateway/src/config.ts";
import { MessagingConfig } from "../../services/messaging/src/config.ts";
import { RelayConfig } from "../../services/relay/src/config.ts";
import { NatsConfig } from "../../services/shared/src/events/nats-options.ts";

/** Every service connects to NATS, by variables that its own config does not repeat. */
const withNats = (config: z.ZodObject): z.ZodObject => config.extend(NatsConfig.shape);

/** The settings of each service. */
export const CONFIGS: Readonly<Record<string, z.ZodObject>> = {
  auth: withNats(AuthConfig),
  billing: withNats(BillingConfig),
  channel: withNats(ChannelConfig),
  gateway: withNats(GatewayConfig),
  messaging: withNats(MessagingConfig),
  relay: withNats(RelayConfig),
};
/** Read by the OpenTelemetry SDK and by Node itself. */
const NOT_OURS = /^OTEL_|^NODE_EXTRA_CA_CERTS$/;

/** The six services with a known environment. */
export const SERVICES: readonly string[] = Object.keys(CONFIGS);
/** Whether a container is one of the six services. */
export const isService = (name: string): boolean => Object.hasOwn(CONFIGS, name);
/** Every variable that a service reads. */
export const namesReadBy = (service: string): string[] => Object.keys(CONFIGS[service]?.shape ?? {});

/** Problems in the environment given to a service: names it does not read, and what its config refuses or misses. */
export function environmentProblems(service: string, env: Readonly<Record<string, string>>): string[] {
  const config = CONFIGS[service];
  if (!config) return [`${service} is no service`];
  const known = new Set(Object.keys(config.shape));
  const strange = Object.keys(env).filter((name) => !known.has(name) && !NOT_OURS.test(name));
  const read = config.safeParse(env);
  return [
    ...strange.map((name) => `${service} is given ${name}, which it does not read`),
    ...(read.success ? [] : read.error.issues.map(({ path, message }) => `${service}: ${path.join(".")} ${message}`)),
  ];
}
