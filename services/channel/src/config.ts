import { BaseConfig, MongoConfig, SecretsConfig, serviceAddress } from "@turnpike/shared/config/base-config";
import { readConfig } from "@turnpike/shared/config/read-config";
import { z } from "zod";

/** Minutes between runs; 0 or empty for none. */
const everyMinutes = z.coerce.number().min(0).default(0);

/** The environment of the channel service. */
export const ChannelConfig = BaseConfig.extend(MongoConfig.shape).extend(SecretsConfig.shape).extend({
  /** `host:port` of auth's gRPC server. */
  AUTH_ADDRESS: serviceAddress,
  /** `host:port` of the relay's gRPC server. */
  RELAY_ADDRESS: serviceAddress,
  /** Minutes between tests of all channels; 0 disables them. */
  CHANNEL_TEST_FREQUENCY: everyMinutes,
  /** Minutes between reads of the balances of enabled channels; 0 disables them. */
  CHANNEL_UPDATE_FREQUENCY: everyMinutes,
});

/** Reads the settings; throws one error that lists every invalid setting. */
export const readChannelConfig = (env?: NodeJS.ProcessEnv): z.output<typeof ChannelConfig> =>
  readConfig(ChannelConfig, env);
