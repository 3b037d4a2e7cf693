import { readFileSync } from "node:fs";
import {
  type Authenticator,
  credsAuthenticator,
  nkeyAuthenticator,
  type NodeConnectionOptions,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from "@nats-io/transport-node";
import { z } from "zod";

const text = z.string().default("");

/** How to connect to NATS, in addition to its URL. At most one way of signing in. */
export const NatsConfig = z.object({
  /** User name at NATS, with `NATS_PASSWORD`. */
  NATS_USER: text,
  /** Password at NATS. */
  NATS_PASSWORD: text,
  /** Token at NATS, instead of a user name. */
  NATS_TOKEN: text,
  /** File with credentials for NATS (JWT and seed). */
  NATS_CREDS_FILE: text,
  /** File with the seed of an nkey for NATS. */
  NATS_NKEY_FILE: text,
  /** PEM file of the authority that signed the certificate of NATS. */
  NATS_TLS_CA_FILE: text,
  /** PEM file of the certificate that the service shows NATS, with `NATS_TLS_KEY_FILE`. */
  NATS_TLS_CERT_FILE: text,
  /** PEM file of the key of that certificate. */
  NATS_TLS_KEY_FILE: text,
  /** Replicas of each JetStream stream: 3 on a cluster of three or more servers. */
  NATS_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
});
export type NatsConfig = z.output<typeof NatsConfig>;

type Target = Pick<NodeConnectionOptions, "servers" | "tls" | "authenticator">;

/** Files are read at each connection: a secret that is replaced on disk is used from then on. */
function createFileAuthenticator(config: NatsConfig): Authenticator | undefined {
  const { NATS_CREDS_FILE: creds, NATS_NKEY_FILE: nkey } = config;
  if (creds !== "") return (nonce) => credsAuthenticator(readFileSync(creds))(nonce);
  if (nkey !== "") return (nonce) => nkeyAuthenticator(Buffer.from(readFileSync(nkey, "utf8").trim()))(nonce);
  return undefined;
}

function createAuthenticator(config: NatsConfig, { username, password }: URL): Authenticator | undefined {
  const ofFile = createFileAuthenticator(config);
  if (ofFile) return ofFile;
  const user = config.NATS_USER || decodeURIComponent(username);
  const secret = config.NATS_PASSWORD || decodeURIComponent(password);
  if (user !== "" && secret !== "") return usernamePasswordAuthenticator(user, secret);
  // A URL with a user alone names a token.
  const token = config.NATS_TOKEN || user;
  return token === "" ? undefined : tokenAuthenticator(token);
}

function getTls(config: NatsConfig, isTls: boolean): Target["tls"] {
  const { NATS_TLS_CA_FILE: caFile, NATS_TLS_CERT_FILE: certFile, NATS_TLS_KEY_FILE: keyFile } = config;
  if (!isTls && caFile === "" && certFile === "") return undefined;
  return { ...(caFile === "" ? {} : { caFile }), ...(certFile === "" ? {} : { certFile, keyFile }) };
}

/**
 * The connection options for a URL: `nats://` or `tls://`, several servers separated by commas, with `user:password@` or
 * `token@` in the first one unless the settings contain others. Throws if it is no URL.
 */
export function getNatsTarget(url: string, config: NatsConfig): Target {
  const [head = "", ...others] = url.split(",").map((part) => part.trim());
  const first = new URL(head);
  const authenticator = createAuthenticator(config, first);
  const tls = getTls(config, first.protocol === "tls:");
  return {
    // Further servers may be written without a scheme.
    servers: [first, ...others.map((part) => new URL(part.includes("://") ? part : `${first.protocol}//${part}`))].map(
      ({ host }) => host,
    ),
    ...(authenticator ? { authenticator } : {}),
    ...(tls ? { tls } : {}),
  };
}
