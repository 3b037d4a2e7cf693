import { fileURLToPath } from "node:url";
import { BaseConfig, serviceAddress } from "@turnpike/shared/config/base-config";
import { readConfig as readEnvironment } from "@turnpike/shared/config/read-config";
import { z } from "zod";
import { addressRange } from "./http/address-ranges.ts";

const port = z.coerce.number().int().min(0).max(65_535);
const commaList = z
  .string()
  .default("")
  .transform((text) => text.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()])));
const flag = z.stringbool().default(true);

/** The gateway's settings. It serves no gRPC, so it has no GRPC_PORT. */
export const GatewayConfig = BaseConfig.omit({ GRPC_PORT: true }).extend({
  PORT: port.default(3000),
  AUTH_ADDRESS: serviceAddress,
  BILLING_ADDRESS: serviceAddress,
  CHANNEL_ADDRESS: serviceAddress,
  MESSAGING_ADDRESS: serviceAddress,
  /** host:port of the relay's public API. */
  RELAY_HTTP_ADDRESS: z.preprocess(
    (value) => (typeof value === "string" ? value.replace(/^http:\/\//, "").replace(/\/$/, "") : value),
    serviceAddress,
  ),
  /** Folder of the built console. */
  WEB_DIST: z.string().default(fileURLToPath(new URL("../../../web/dist", import.meta.url))),
  /** Comma-separated addresses and CIDRs of proxies whose X-Forwarded-For is trusted. */
  TRUSTED_PROXIES: commaList.pipe(z.array(addressRange)),
  /** Calls of /api that one address may make in GLOBAL_API_RATE_LIMIT_DURATION seconds. */
  GLOBAL_API_RATE_LIMIT: z.coerce.number().int().min(1).default(600),
  GLOBAL_API_RATE_LIMIT_DURATION: z.coerce.number().int().min(1).default(180),
  GLOBAL_API_RATE_LIMIT_ENABLE: flag,
});
export type GatewayConfig = z.output<typeof GatewayConfig>;

/** Reads the settings; throws one error that lists everything wrong with them. */
export const readConfig = (env: NodeJS.ProcessEnv = process.env): GatewayConfig => readEnvironment(GatewayConfig, env);
