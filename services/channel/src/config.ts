import { BaseConfig, MongoConfig, SecretsConfig, serviceAddress } from "@turnpike/shared/config/base-config";
import { readConfig } from "@turnpike/shared/config/read-config";
import { z } from "zod";

/** Minutes between runs; 0 or empty for none. */
const everyMinutes = z.coerce.number().min(0).default(0);

/** The environment of the channel service. */
export const ChannelConfig = BaseConfig.extend(MongoConfig.shape).extend(SecretsConfig.shape).extend({
  AUTH_ADDRESS: serviceAddress,
  RELAY_ADDRESS: serviceAddress,
  /** Interval of tests of all channels. */
  CHANNEL_TEST_FREQUENCY: everyMinutes,
  /** Interval of balance reads of enabled channels. */
  CHANNEL_UPDATE_FREQUENCY: everyMinutes,
});

/** Reads the settings; throws one error that lists every invalid setting. */
export const readChannelConfig = (env?: NodeJS.ProcessEnv): z.output<typeof ChannelConfig> =>
  readConfig(ChannelConfig, env);
