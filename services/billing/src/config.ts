import {
  BaseConfig,
  MongoConfig,
  RedisConfig,
  SecretsConfig,
  serviceAddress,
} from "@turnpike/shared/config/base-config";
import { readConfig } from "@turnpike/shared/config/read-config";
import { z } from "zod";

/** The environment of the billing service; AUTH_ADDRESS is where the options, secrets and user names come from; STRIPE_API_URL is another Stripe, for tests; BOOKS_CHECK_SECONDS is how often the books are compared as a whole. */
export const BillingConfig = BaseConfig.extend(MongoConfig.shape)
  .extend(RedisConfig.shape)
  .extend(SecretsConfig.shape)
  .extend({
    AUTH_ADDRESS: serviceAddress,
    STRIPE_API_URL: z.url({ protocol: /^https?$/ }).default("https://api.stripe.com"),
    BOOKS_CHECK_SECONDS: z.coerce.number().int().min(1).max(1_800).default(300),
  });

/** Reads the settings; throws one error that names everything wrong with them. */
export const readBillingConfig = (env?: NodeJS.ProcessEnv): z.output<typeof BillingConfig> =>
  readConfig(BillingConfig, env);
