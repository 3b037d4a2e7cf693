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
import { EndpointsConfig } from "./oauth/endpoints.ts";
import { isPasswordLongEnough, PASSWORD_STORED_BYTES_MAX, readUsername } from "./users/user-input.ts";

const unsetWhenEmpty = (value: unknown): unknown => (value === "" ? undefined : value);

/**
 * The environment of the auth service; ROOT_USERNAME and ROOT_PASSWORD must be set together and are used on the first
 * start only.
 */
export const AuthConfig = BaseConfig.extend(MongoConfig.shape)
  .extend(RedisConfig.shape)
  .extend(SecretsConfig.shape)
  .extend(OutboundConfig.shape)
  .extend(EndpointsConfig.shape)
  .extend({
    /** `host:port` of billing's gRPC server. */
    BILLING_ADDRESS: serviceAddress,
    /** Whether new users get a first token without expiry and limit. */
    GENERATE_DEFAULT_TOKEN: z.preprocess(unsetWhenEmpty, z.stringbool().default(false)),
    /** `host:port` of messaging's gRPC server. */
    MESSAGING_ADDRESS: serviceAddress,
    /** Name of the root user, created at the first start, which completes the set-up; with `ROOT_PASSWORD`. */
    ROOT_USERNAME: z.preprocess(
      unsetWhenEmpty,
      z
        .string()
        .refine((name) => readUsername(name) !== undefined, "must have 1 to 20 characters")
        .optional(),
    ),
    /** Password of the root user that the first start creates. */
    ROOT_PASSWORD: z.preprocess(
      unsetWhenEmpty,
      z
        .string()
        .refine(isPasswordLongEnough, "must have at least 8 characters")
        .refine(
          (password) => Buffer.byteLength(password) <= PASSWORD_STORED_BYTES_MAX,
          `must have at most ${PASSWORD_STORED_BYTES_MAX} bytes`,
        )
        .optional(),
    ),
  })
  .refine((config) => (config.ROOT_USERNAME === undefined) === (config.ROOT_PASSWORD === undefined), {
    path: ["ROOT_USERNAME"],
    message: "ROOT_USERNAME and ROOT_PASSWORD must be set together",
  });

/** Reads the settings; throws one error that lists every invalid setting. */
export const readAuthConfig = (env?: NodeJS.ProcessEnv): z.output<typeof AuthConfig> => readConfig(AuthConfig, env);
