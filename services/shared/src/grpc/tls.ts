import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ChannelCredentials, credentials, ServerCredentials } from "@grpc/grpc-js";
import { z } from "zod";
import { readConfig } from "../config/read-config.ts";
import { registerGauge } from "../telemetry/metric-series.ts";

/** The name in every certificate of an install: one Secret serves all services, wherever they listen. */
export const GRPC_TLS_NAME = "turnpike";

type Tls = {
  readonly server: ServerCredentials;
  readonly client: ChannelCredentials;
  readonly clientOptions: Readonly<Record<string, string>>;
};

const PLAIN: Tls = {
  server: ServerCredentials.createInsecure(),
  client: credentials.createInsecure(),
  clientOptions: {},
};

/** Credentials from a folder with ca.crt, tls.crt and tls.key, as in a Kubernetes Secret; both sides present theirs. */
export function readTls(folder: string): Tls & { readonly expiresAtSeconds: number } {
  const read = (name: string): Buffer => readFileSync(join(folder, name));
  const [ca, certificate, key] = [read("ca.crt"), read("tls.crt"), read("tls.key")];
  return {
    server: ServerCredentials.createSsl(ca, [{ cert_chain: certificate, private_key: key }], true),
    client: credentials.createSsl(ca, key, certificate),
    clientOptions: {
      "grpc.ssl_target_name_override": GRPC_TLS_NAME,
      "grpc.default_authority": GRPC_TLS_NAME,
    },
    expiresAtSeconds: Date.parse(new X509Certificate(certificate).validTo) / 1000,
  };
}

const byFolder = new Map([["", PLAIN]]);

/**
 * The gRPC credentials of this process: mutual TLS when GRPC_TLS_DIR names a folder of certificates, read once; plain
 * text otherwise. The internal secret is required either way. Throws when the folder lacks a file.
 */
export function grpcTls(): Tls {
  const { GRPC_TLS_DIR: folder } = readConfig(z.object({ GRPC_TLS_DIR: z.string().default("") }));
  const known = byFolder.get(folder);
  if (known) return known;
  const tls = readTls(folder);
  const names = { help: "Expiry time of the certificate for internal connections, in unix seconds", labelNames: [] };
  registerGauge({ name: "turnpike_tls_certificate_expiry_timestamp_seconds", ...names }, () => [
    [tls.expiresAtSeconds],
  ]);
  byFolder.set(folder, tls);
  return tls;
}
