import {
  BaseConfig,
  MongoConfig,
  RedisConfig,
  SecretsConfig,
  serviceAddress,
} from "@turnpike/shared/config/base-config";
import { readConfig } from "@turnpike/shared/config/read-config";
import type { z } from "zod";

/** The environment of the billing service; AUTH_ADDRESS is where the options and user names come from. */
export const BillingConfig = BaseConfig.extend(MongoConfig.shape)
  .extend(RedisConfig.shape)
  .extend(SecretsConfig.shape)
  .extend({ AUTH_ADDRESS: serviceAddress });

/** Reads the settings; throws one error that names everything wrong with them. */
export const readBillingConfig = (env?: NodeJS.ProcessEnv): z.output<typeof BillingConfig> =>
  readConfig(BillingConfig, env);
