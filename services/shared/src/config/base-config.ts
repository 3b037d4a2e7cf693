import { z } from "zod";
import { addressAllowlist } from "../http/address-policy.ts";

const port = z.coerce.number().int().min(0).max(65_535);
/** host:port of another service's gRPC server. */
export const serviceAddress = z.string().regex(/^[^\s/]+:\d+$/, "must be host:port");

/** Settings every service has. */
export const BaseConfig = z.object({
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
  /** Address to listen on; containers set 0.0.0.0. */
  HOST: z.string().default("127.0.0.1"),
  GRPC_PORT: port,
  /** Metrics, liveness and readiness over HTTP. */
  OPS_PORT: port,
  /** Shared secret of the internal gRPC calls. */
  INTERNAL_SECRET: z.string().min(16, "must be at least 16 characters"),
  /** Folder with ca.crt, tls.crt and tls.key for mutual TLS between services; see grpc/tls.ts. Empty: plain, by the secret alone. */
  GRPC_TLS_DIR: z.string().default(""),
  NATS_URL: z.string().min(1),
  /** Prefix of Redis keys and NATS subjects when servers are shared with another install; empty for none. */
  NAMESPACE: z
    .string()
    .regex(/^[a-z0-9-]*$/)
    .default(""),
  /** start, wait or only: see mongo/migration-lease.ts. */
  MIGRATIONS: z.enum(["start", "wait", "only"]).default("start"),
  /** Which version of the program this is, as its image says; names what a migration job has done. */
  TURNPIKE_VERSION: z.string().default("dev"),
  SHUTDOWN_GRACE_SECONDS: z.coerce.number().int().min(1).default(10),
});

/** For services that own MongoDB collections; the database's name is the URL's path. */
export const MongoConfig = z.object({ MONGODB_URL: z.string().startsWith("mongodb") });

/** For services that use Redis. */
export const RedisConfig = z.object({ REDIS_URL: z.string().startsWith("redis") });

/** For services that keep secrets encrypted; see crypto/secret-box.ts for the form. */
export const SecretsConfig = z.object({ MASTER_KEY: z.string().min(1) });

/** For services that call addresses people typed; see http/private-address-guard.ts. Empty opens nothing. */
export const OutboundConfig = z.object({ PRIVATE_ADDRESS_ALLOWLIST: addressAllowlist });
