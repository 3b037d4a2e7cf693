import { readFileSync } from "node:fs";
import { readConfig } from "@turnpike/shared/config/read-config";
import { z } from "zod";
import type { Credentials } from "./console.ts";

/** The environment of the command `turnpike`. */
export const CommandConfig = z.object({
  /** Address of the gateway that the command `turnpike` configures. */
  TURNPIKE_URL: z.url({ protocol: /^https?$/ }).default("http://localhost:3000"),
  /** Access token of root for the command `turnpike`, from the console's profile page. */
  TURNPIKE_TOKEN: z.string().default(""),
  /** File with that access token. */
  TURNPIKE_TOKEN_FILE: z.string().default(""),
  /** Name of root, where there is no access token. */
  TURNPIKE_USERNAME: z.string().default(""),
  /** Password of root. */
  TURNPIKE_PASSWORD: z.string().default(""),
  /** Folder of the secrets that `{ secret, key }` names. */
  TURNPIKE_SECRETS_DIR: z.string().default("/etc/turnpike/secrets"),
});
export type CommandConfig = z.output<typeof CommandConfig>;

/** Reads the settings; throws one error that lists every invalid setting. */
export const readCommandConfig = (env?: NodeJS.ProcessEnv): CommandConfig => readConfig(CommandConfig, env);

/** How to sign in. Throws when nothing is set. */
export function getCredentials(config: CommandConfig): Credentials {
  const file = config.TURNPIKE_TOKEN_FILE;
  const token = config.TURNPIKE_TOKEN === "" && file !== "" ? readFileSync(file, "utf8").trim() : config.TURNPIKE_TOKEN;
  if (token !== "") return { token };
  const { TURNPIKE_USERNAME: username, TURNPIKE_PASSWORD: password } = config;
  if (username !== "" && password !== "") return { username, password };
  throw new Error("set TURNPIKE_TOKEN to an access token of root (console → profile → access token)");
}
