import { BaseConfig, MongoConfig, SecretsConfig, serviceAddress } from "@turnpike/shared/config/base-config";
import { readConfig } from "@turnpike/shared/config/read-config";
import { z } from "zod";

/** Minutes between runs; 0 or nothing for none. */
const everyMinutes = z.coerce.number().min(0).default(0);

/** The environment of the channel service. */
export const ChannelConfig = BaseConfig.extend(MongoConfig.shape).extend(SecretsConfig.shape).extend({
  AUTH_ADDRESS: serviceAddress,
  RELAY_ADDRESS: serviceAddress,
  /** How often all channels are tested. */
  CHANNEL_TEST_FREQUENCY: everyMinutes,
  /** How often the balances of enabled channels are asked. */
  CHANNEL_UPDATE_FREQUENCY: everyMinutes,
});

/** Reads the settings; throws one error that names everything wrong with them. */
export const readChannelConfig = (env?: NodeJS.ProcessEnv): z.output<typeof ChannelConfig> =>
  readConfig(ChannelConfig, env);
