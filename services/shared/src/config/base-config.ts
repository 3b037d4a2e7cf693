import { z } from "zod";
import { addressAllowlist } from "../http/address-policy.ts";

const port = z.coerce.number().int().min(0).max(65_535);
/** `host:port` of another service's gRPC server. */
export const serviceAddress = z.string().regex(/^[^\s/]+:\d+$/, "must be host:port");

/** Settings that every service has. */
export const BaseConfig = z.object({
  /** Lines below this level are not logged. */
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
  /** Address that the service listens on; containers set 0.0.0.0. */
  HOST: z.string().default("127.0.0.1"),
  /** Port of the internal gRPC calls. */
  GRPC_PORT: port,
  /** Port of `/metrics`, `/live` and `/ready`, over HTTP. */
  OPS_PORT: port,
  /** Secret of at least 16 characters that authenticates the internal calls; the same for every service. */
  INTERNAL_SECRET: z.string().min(16, "must be at least 16 characters"),
  /**
   * Folder with ca.crt, tls.crt and tls.key for mutual TLS between services. Empty: plain text, authenticated by the
   * secret alone.
   */
  GRPC_TLS_DIR: z.string().default(""),
  /** Servers of NATS with JetStream, separated by commas: `nats://` or `tls://`. */
  NATS_URL: z.string().min(1),
  /** Prefix of Redis keys and NATS subjects when servers are shared with another install; empty for none. */
  NAMESPACE: z
    .string()
    .regex(/^[a-z0-9-]*$/)
    .default(""),
  /**
   * Creation of collections and indexes at the start: `start` does it, `wait` waits until a job of this version has
   * done it, `only` does it and exits.
   */
  MIGRATIONS: z.enum(["start", "wait", "only"]).default("start"),
  /** The version of the program, set by its image; a migration job records its work under this name. */
  TURNPIKE_VERSION: z.string().default("dev"),
  /** Seconds that calls in progress may take after SIGTERM. */
  SHUTDOWN_GRACE_SECONDS: z.coerce.number().int().min(1).default(10),
});

/** For services that own MongoDB collections; the database's name is the URL's path. */
export const MongoConfig = z.object({
  /** MongoDB, which must be a replica set; the path of the URL is the database. */
  MONGODB_URL: z.string().startsWith("mongodb"),
});

/** For services that use Redis. */
export const RedisConfig = z.object({
  /** Redis or Valkey: one server, Sentinels or a Cluster, in the forms of [replicated stores](../../deploy/SCALING.md#replicated-stores). */
  REDIS_URL: z.string().startsWith("redis"),
});

/** For services that store encrypted secrets; see crypto/secret-box.ts for the form. */
export const SecretsConfig = z.object({
  /** Encrypts secrets at rest; a comma-separated list of the new and the old keys during a rotation. Keep a copy. */
  MASTER_KEY: z.string().min(1),
});

/**
 * For services that call addresses that users enter; see http/private-address-guard.ts. Empty allows no private
 * address.
 */
export const OutboundConfig = z.object({
  /** Comma-separated private addresses and CIDRs that addresses entered by users and administrators may reach. */
  PRIVATE_ADDRESS_ALLOWLIST: addressAllowlist,
});
