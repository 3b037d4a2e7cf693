import { QUOTA_PER_UNIT_DEFAULT } from "@turnpike/contract/pricing/dollars";
import { BaseConfig, OutboundConfig, RedisConfig, serviceAddress } from "@turnpike/shared/config/base-config";
import { SecretsConfig } from "@turnpike/shared/config/base-config";
import { trustedProxies } from "@turnpike/shared/http/address-ranges";

import { z } from "zod";

const seconds = (value: number) => z.coerce.number().min(0.1).default(value);

/** The environment of the relay. */
export const RelayConfig = z.object({
  ...BaseConfig.shape,
  ...RedisConfig.shape,
  ...SecretsConfig.shape,
  ...OutboundConfig.shape,
  /** Port of the model API; several processes may share it (`RELAY_WORKERS` of `make up`). */
  RELAY_PORT: z.coerce.number().int().min(0).max(65_535).default(3001),
  /** Number of this relay among those that share a port and a data folder. */
  WORKER_INDEX: z.coerce.number().int().min(0).default(0),
  /** Folder of the spool and the write-ahead log. */
  DATA_DIR: z.string().default("./data"),
  /** `host:port` of auth's gRPC server. */
  AUTH_ADDRESS: serviceAddress,
  /** `host:port` of billing's gRPC server. */
  BILLING_ADDRESS: serviceAddress,
  /** `host:port` of channel's gRPC server. */
  CHANNEL_ADDRESS: serviceAddress,
  /** Comma-separated addresses and CIDRs of proxies whose X-Forwarded-For is trusted. */
  TRUSTED_PROXIES: trustedProxies,
  /** Largest request body in megabytes, also after decompression. */
  BODY_LIMIT_MB: z.coerce.number().min(1).default(64),
  /** Largest file in megabytes that is fetched for a provider: an image where it accepts no addresses, the audio that Ali returns. */
  MAX_FILE_DOWNLOAD_MB: z.coerce.number().min(1).default(20),
  /** Seconds until a connection to an upstream must be open. */
  CONNECT_TIMEOUT_SECONDS: seconds(10),
  /** Idle seconds between upstream frames; also the wait for a stream's first byte unless `FIRST_BYTE_TIMEOUT` is set. */
  STREAMING_TIMEOUT: seconds(60),
  /** Seconds until a stream must begin; `STREAMING_TIMEOUT` when unset. */
  FIRST_BYTE_TIMEOUT: z.coerce.number().min(0.1).optional(),
  /** Seconds until a non-streaming response must be complete. */
  RESPONSE_TIMEOUT_SECONDS: seconds(600),
  /** Seconds that a client may read nothing of a response before it is disconnected. */
  SEND_TIMEOUT_SECONDS: seconds(120),
  /** Seconds that a Realtime session may stay idle in both directions, and a WebSocket of responses without an event. */
  REALTIME_IDLE_SECONDS: seconds(900),
  /**
   * Behaviour while Redis is down: `closed` refuses calls with 503, `open` serves accounts known to be positive, each up
   * to `OPEN_MODE_CAP`.
   */
  REDIS_FAILURE_MODE: z.enum(["closed", "open"]).default("closed"),
  /** Quota units that one account may spend while Redis is down and `REDIS_FAILURE_MODE` is `open`. */
  OPEN_MODE_CAP: z.coerce.number().int().min(0).default(QUOTA_PER_UNIT_DEFAULT),
  /** Seconds between polls of a running image or music task; 0 leaves polling to other relays. */
  TASK_POLL_SECONDS: z.coerce.number().min(0).default(5),
  /** Megabytes of one user's responses to calls with an idempotency key that Redis stores. */
  IDEMPOTENCY_USER_MB: z.coerce.number().min(1).default(32),
  /** Megabytes of all responses to calls with an idempotency key that Redis stores. */
  IDEMPOTENCY_MB: z.coerce.number().min(1).default(512),
  /** Megabytes of usage on disk; when it is full, calls get 503 rather than run uncharged. */
  SPOOL_LIMIT_MB: z.coerce.number().min(1).default(1024),
});
export type RelayConfig = z.output<typeof RelayConfig>;
