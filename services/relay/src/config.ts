import { QUOTA_PER_UNIT_DEFAULT } from "@turnpike/contract/pricing/price-unit";
import { BaseConfig, OutboundConfig, RedisConfig, serviceAddress } from "@turnpike/shared/config/base-config";
import { SecretsConfig } from "@turnpike/shared/config/base-config";

import { z } from "zod";

const seconds = (value: number) => z.coerce.number().min(0.1).default(value);

/** Settings of the relay; this service's README.md explains each one. */
export const RelayConfig = z.object({
  ...BaseConfig.shape,
  ...RedisConfig.shape,
  ...SecretsConfig.shape,
  ...OutboundConfig.shape,
  RELAY_PORT: z.coerce.number().int().min(0).max(65_535).default(3001),
  WORKER_INDEX: z.coerce.number().int().min(0).default(0),
  DATA_DIR: z.string().default("./data"),
  AUTH_ADDRESS: serviceAddress,
  BILLING_ADDRESS: serviceAddress,
  CHANNEL_ADDRESS: serviceAddress,
  /** Networks whose X-Forwarded-For is trusted, comma-separated CIDRs. */
  TRUSTED_PROXIES: z.string().default(""),
  BODY_LIMIT_MB: z.coerce.number().min(1).default(64),
  /** Largest image that is fetched for a provider that does not fetch images itself. */
  MAX_FILE_DOWNLOAD_MB: z.coerce.number().min(1).default(20),
  CONNECT_TIMEOUT_SECONDS: seconds(10),
  /** Idle seconds between upstream frames; also the wait for a stream's first byte unless FIRST_BYTE_TIMEOUT is set. */
  STREAMING_TIMEOUT: seconds(60),
  FIRST_BYTE_TIMEOUT: z.coerce.number().min(0.1).optional(),
  /** Longest wait for a complete non-streaming response. */
  RESPONSE_TIMEOUT_SECONDS: seconds(600),
  /** How long a Realtime session may stay idle in both directions. */
  REALTIME_IDLE_SECONDS: seconds(900),
  /**
   * Behaviour while Redis is down: refuse calls, or serve accounts known to be positive up to OPEN_MODE_CAP quota units
   * each.
   */
  REDIS_FAILURE_MODE: z.enum(["closed", "open"]).default("closed"),
  OPEN_MODE_CAP: z.coerce.number().int().min(0).default(QUOTA_PER_UNIT_DEFAULT),
  /** Interval between polls of a running image or music task; 0 leaves polling to other relays. */
  TASK_POLL_SECONDS: z.coerce.number().min(0).default(5),
  SPOOL_LIMIT_MB: z.coerce.number().min(1).default(1024),
});
export type RelayConfig = z.output<typeof RelayConfig>;
