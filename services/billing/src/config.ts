import {
  BaseConfig,
  MongoConfig,
  RedisConfig,
  SecretsConfig,
  serviceAddress,
} from "@turnpike/shared/config/base-config";
import { readConfig } from "@turnpike/shared/config/read-config";
import { z } from "zod";

/**
 * The environment of the billing service; AUTH_ADDRESS provides the options, secrets and user names; STRIPE_API_URL
 * replaces Stripe in tests; BOOKS_CHECK_SECONDS is the interval of the full reconciliation.
 */
export const BillingConfig = BaseConfig.extend(MongoConfig.shape)
  .extend(RedisConfig.shape)
  .extend(SecretsConfig.shape)
  .extend({
    AUTH_ADDRESS: serviceAddress,
    STRIPE_API_URL: z.url({ protocol: /^https?$/ }).default("https://api.stripe.com"),
    BOOKS_CHECK_SECONDS: z.coerce.number().int().min(1).max(1_800).default(300),
  });

/** Reads the settings; throws one error that lists every invalid setting. */
export const readBillingConfig = (env?: NodeJS.ProcessEnv): z.output<typeof BillingConfig> =>
  readConfig(BillingConfig, env);
