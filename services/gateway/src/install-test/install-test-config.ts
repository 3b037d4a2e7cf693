import { readConfig } from "@turnpike/shared/config/read-config";
import { z } from "zod";

const list = z
  .string()
  .transform((text) => text.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()])));

/** The environment of the install test. */
export const InstallTestConfig = z.object({
  /** Address of the gateway that the install test calls. */
  TEST_GATEWAY_URL: z.url({ protocol: /^https?$/ }),
  /** Address of the relay that the install test calls. */
  TEST_RELAY_URL: z.url({ protocol: /^https?$/ }),
  /** Name of an administrator, who creates the user and the channel of the install test. */
  TEST_USERNAME: z.string().min(1),
  /** Password of that administrator. */
  TEST_PASSWORD: z.string().min(1),
  /** Address at which relays reach the upstream that the install test serves. */
  TEST_UPSTREAM_HOST: z.string().default("127.0.0.1"),
  /** Port of that upstream. */
  TEST_UPSTREAM_PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  /** Calls of the install test, in four dialects. */
  TEST_CALLS: z.coerce.number().int().min(4).max(100_000).default(200),
  /** Components of which the install test deletes one pod each during the calls; empty deletes none. */
  TEST_DELETED_PODS: list.default([]),
  /** Namespace of those pods. */
  TEST_NAMESPACE: z.string().default("default"),
  /** Helm release of those pods. */
  TEST_RELEASE: z.string().default(""),
});
export type InstallTestConfig = z.output<typeof InstallTestConfig>;

/** Reads the settings; throws one error that lists every invalid setting. */
export const readInstallTestConfig = (env?: NodeJS.ProcessEnv): InstallTestConfig => readConfig(InstallTestConfig, env);
