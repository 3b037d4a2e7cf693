import { BaseConfig, MongoConfig, SecretsConfig, serviceAddress } from "@turnpike/shared/config/base-config";
import { readConfig } from "@turnpike/shared/config/read-config";
import type { z } from "zod";

/** The environment of the channel service. */
export const ChannelConfig = BaseConfig.extend(MongoConfig.shape).extend(SecretsConfig.shape).extend({
  AUTH_ADDRESS: serviceAddress,
  RELAY_ADDRESS: serviceAddress,
});

/** Reads the settings; throws one error that names everything wrong with them. */
export const readChannelConfig = (env?: NodeJS.ProcessEnv): z.output<typeof ChannelConfig> =>
  readConfig(ChannelConfig, env);
