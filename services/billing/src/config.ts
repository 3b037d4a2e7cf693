import {
  BaseConfig,
  MongoConfig,
  OutboundConfig,
  RedisConfig,
  SecretsConfig,
  serviceAddress,
} from "@turnpike/shared/config/base-config";
import { readConfig } from "@turnpike/shared/config/read-config";
import { z } from "zod";

/** The environment of the billing service. */
export const BillingConfig = BaseConfig.extend(MongoConfig.shape)
  .extend(RedisConfig.shape)
  .extend(SecretsConfig.shape)
  .extend(OutboundConfig.shape)
  .extend({
    /** `host:port` of auth's gRPC server: options, secret options, user names, inviters. */
    AUTH_ADDRESS: serviceAddress,
    /** `host:port` of channel's gRPC server: reports of providers. */
    CHANNEL_ADDRESS: serviceAddress,
    /** Address of the Stripe API; tests replace it. */
    STRIPE_API_URL: z.url({ protocol: /^https?$/ }).default("https://api.stripe.com"),
    /** Seconds between reconciliations of all accounts; also read as `BOOKS_CHECK_SECONDS`, its former name. */
    RECONCILIATION_SECONDS: z.coerce.number().int().min(1).max(1_800).default(300),
  });

/** The name that RECONCILIATION_SECONDS had before. */
const FORMER_NAME = "BOOKS_CHECK_SECONDS";

/** Reads the settings; throws one error that lists every invalid setting. */
export function readBillingConfig(env: NodeJS.ProcessEnv = process.env): z.output<typeof BillingConfig> {
  const former = env[FORMER_NAME];
  return readConfig(BillingConfig, former === undefined ? env : { RECONCILIATION_SECONDS: former, ...env });
}
