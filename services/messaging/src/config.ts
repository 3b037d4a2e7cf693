import {
  BaseConfig,
  MongoConfig,
  OutboundConfig,
  SecretsConfig,
  serviceAddress,
} from "@turnpike/shared/config/base-config";
import { readConfig } from "@turnpike/shared/config/read-config";
import type { z } from "zod";

/** The environment of the messaging service. */
export const MessagingConfig = BaseConfig.extend(MongoConfig.shape)
  .extend(SecretsConfig.shape)
  .extend(OutboundConfig.shape)
  .extend({
    /** `host:port` of auth's gRPC server: options, secret options, targets of notices. */
    AUTH_ADDRESS: serviceAddress,
  });

/** Reads the settings; throws one error that lists every invalid setting. */
export const readMessagingConfig = (env?: NodeJS.ProcessEnv): z.output<typeof MessagingConfig> =>
  readConfig(MessagingConfig, env);
