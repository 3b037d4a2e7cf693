import { resolve } from "node:path";
import { BaseConfig } from "@turnpike/shared/config/base-config";
import { z } from "zod";
import { SetupError } from "../process/setup-error.ts";
import type { LogFormat } from "./log-lines.ts";

const port = (usual: number) => z.coerce.number().int().min(1).max(65_535).default(usual);

/** The settings of `make up` itself. */
export const Settings = z.object({
  /** Port of the console, of `/api` and of the model API. */
  PORT: port(3000),
  /** Port of the model API alone, which is faster. */
  RELAY_PORT: port(3001),
  /** Relay processes that share `RELAY_PORT`. */
  RELAY_WORKERS: z.coerce.number().int().min(1).max(64).default(1),
  /** Folder of all data; a second install needs another folder and other ports. */
  DATA_DIR: z.string().default("./data"),
  /** Address that the gateway and the relay listen on; everything else listens on 127.0.0.1. */
  HOST: z.string().default("127.0.0.1"),
  /** Encrypts secrets at rest; by default generated at the first start and kept in `DATA_DIR`. Keep a copy. */
  MASTER_KEY: z.string().optional(),
  /** Secret that authenticates the internal calls; by default generated at the first start. */
  INTERNAL_SECRET: z.string().optional(),
  /** Lines below this level are not logged. */
  LOG_LEVEL: BaseConfig.shape.LOG_LEVEL,
  /** Form of the output: `auto` is pretty on a terminal and one JSON object per line where a program reads it. */
  LOG_FORMAT: z.enum(["auto", "pretty", "json"]).default("auto"),
  /** Name of the root user that the first start creates; with `ROOT_PASSWORD`. */
  ROOT_USERNAME: z.string().optional(),
  /** Password of the root user that the first start creates. */
  ROOT_PASSWORD: z.string().min(8, "must have at least 8 characters").optional(),
  /** Database that is used when `MONGODB_URL` names none. */
  MONGODB_DATABASE: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .default("turnpike"),
  /** Prefix of Redis keys and NATS subjects; by default one of the install where a server is shared. */
  NAMESPACE: z.string().optional(),
});

export type Settings = z.output<typeof Settings>;

/** The form of the output; also for an environment that is not valid. */
export function readLogFormat(env: NodeJS.ProcessEnv, isTerminal: boolean): LogFormat {
  const format = env["LOG_FORMAT"];
  if (format === "json" || format === "pretty") return format;
  return isTerminal ? "pretty" : "json";
}

/**
 * Parses the environment of the one-command start; throws SetupError that lists every problem. DATA_DIR becomes
 * absolute.
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const result = Settings.safeParse(present);
  if (!result.success) throw new SetupError(`The environment is not valid:\n${z.prettifyError(result.error)}`);
  if ((result.data.ROOT_USERNAME === undefined) !== (result.data.ROOT_PASSWORD === undefined))
    throw new SetupError("ROOT_USERNAME and ROOT_PASSWORD must be set together.");
  if (result.data.PORT === result.data.RELAY_PORT) throw new SetupError("PORT and RELAY_PORT must differ.");
  return { ...result.data, DATA_DIR: resolve(result.data.DATA_DIR) };
}
