import { fileURLToPath } from "node:url";
import { BaseConfig, serviceAddress } from "@turnpike/shared/config/base-config";
import { trustedProxies } from "@turnpike/shared/http/address-ranges";
import { readConfig as readEnvironment } from "@turnpike/shared/config/read-config";
import { z } from "zod";

const port = z.coerce.number().int().min(0).max(65_535);
/** The longest that a timer can wait. */
const WINDOW_SECONDS_MAX = 2_000_000;
const flag = z.stringbool().default(true);

/** The gateway's settings. It serves no gRPC, so it has no GRPC_PORT. */
export const GatewayConfig = BaseConfig.omit({ GRPC_PORT: true }).extend({
  /** Port of the console and of `/api`. */
  PORT: port.default(3000),
  /** `host:port` of auth's gRPC server. */
  AUTH_ADDRESS: serviceAddress,
  /** `host:port` of billing's gRPC server. */
  BILLING_ADDRESS: serviceAddress,
  /** `host:port` of channel's gRPC server. */
  CHANNEL_ADDRESS: serviceAddress,
  /** `host:port` of messaging's gRPC server. */
  MESSAGING_ADDRESS: serviceAddress,
  /** `host:port` of the relay's public API. */
  RELAY_HTTP_ADDRESS: z.preprocess(
    (value) => (typeof value === "string" ? value.replace(/^http:\/\//, "").replace(/\/$/, "") : value),
    serviceAddress,
  ),
  /** Folder of the built console. */
  WEB_DIST: z.string().default(fileURLToPath(new URL("../../../web/dist", import.meta.url))),
  /** Comma-separated addresses and CIDRs of proxies whose X-Forwarded-For is trusted. */
  TRUSTED_PROXIES: trustedProxies,
  /** Calls of `/api` that one address (a /64 of IPv6) may make in `GLOBAL_API_RATE_LIMIT_DURATION`, per replica. */
  GLOBAL_API_RATE_LIMIT: z.coerce.number().int().min(1).default(600),
  /** The period of `GLOBAL_API_RATE_LIMIT` in seconds. */
  GLOBAL_API_RATE_LIMIT_DURATION: z.coerce.number().int().min(1).max(WINDOW_SECONDS_MAX).default(180),
  /** Whether `GLOBAL_API_RATE_LIMIT` is in force. */
  GLOBAL_API_RATE_LIMIT_ENABLE: flag,
});
export type GatewayConfig = z.output<typeof GatewayConfig>;

/** Reads the settings; throws one error that lists every invalid setting. */
export const readConfig = (env: NodeJS.ProcessEnv = process.env): GatewayConfig => readEnvironment(GatewayConfig, env);
