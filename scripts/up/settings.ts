import { resolve } from "node:path";
import { BaseConfig } from "@turnpike/shared/config/base-config";
import { z } from "zod";
import { SetupError } from "../process/setup-error.ts";

const port = (usual: number) => z.coerce.number().int().min(1).max(65_535).default(usual);

const Settings = z.object({
  PORT: port(3000),
  RELAY_PORT: port(3001),
  RELAY_WORKERS: z.coerce.number().int().min(1).max(64).default(1),
  DATA_DIR: z.string().default("./data"),
  /** The listen address of the gateway and the relay; everything else listens on 127.0.0.1. */
  HOST: z.string().default("127.0.0.1"),
  MASTER_KEY: z.string().optional(),
  INTERNAL_SECRET: z.string().optional(),
  LOG_LEVEL: BaseConfig.shape.LOG_LEVEL,
  ROOT_USERNAME: z.string().optional(),
  ROOT_PASSWORD: z.string().min(8, "must have at least 8 characters").optional(),
  MONGODB_DATABASE: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .default("turnpike"),
  NAMESPACE: z.string().optional(),
});

export type Settings = z.output<typeof Settings>;

/**
 * Parses the environment of the one-command start; throws SetupError that lists every problem. DATA_DIR becomes
 * absolute.
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const result = Settings.safeParse(present);
  if (!result.success) throw new SetupError(`The environment is not right:\n${z.prettifyError(result.error)}`);
  if ((result.data.ROOT_USERNAME === undefined) !== (result.data.ROOT_PASSWORD === undefined))
    throw new SetupError("ROOT_USERNAME and ROOT_PASSWORD must be set together.");
  if (result.data.PORT === result.data.RELAY_PORT) throw new SetupError("PORT and RELAY_PORT must differ.");
  return { ...result.data, DATA_DIR: resolve(result.data.DATA_DIR) };
}
