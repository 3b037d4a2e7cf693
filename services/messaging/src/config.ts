import { BaseConfig, MongoConfig, SecretsConfig, serviceAddress } from "@turnpike/shared/config/base-config";
import { readConfig } from "@turnpike/shared/config/read-config";
import { addressAllowlist } from "@turnpike/shared/http/address-policy";
import type { z } from "zod";

/** The environment of the messaging service. */
export const MessagingConfig = BaseConfig.extend(MongoConfig.shape)
  .extend(SecretsConfig.shape)
  .extend({ AUTH_ADDRESS: serviceAddress, PRIVATE_ADDRESS_ALLOWLIST: addressAllowlist });

/** Reads the settings; throws one error that names everything wrong with them. */
export const readMessagingConfig = (env?: NodeJS.ProcessEnv): z.output<typeof MessagingConfig> =>
  readConfig(MessagingConfig, env);
