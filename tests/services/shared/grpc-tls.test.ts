import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { credentials, Metadata, status } from "@grpc/grpc-js";
import { AuthServiceClient, type AuthServiceServer, AuthServiceService } from "@turnpike/proto/auth/v1/auth_service";
import { createGrpcClient } from "@turnpike/shared/grpc/client";
import { createGrpcServer, type Handlers } from "@turnpike/shared/grpc/server";
import { createLogger } from "@turnpike/shared/log/log";
import { registry } from "@turnpike/shared/telemetry/metrics";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "turnpike-tls-"));
const internalSecret = "a-secret-of-the-house";
let address = "";
let stop: (() => Promise<void>) | undefined;

beforeAll(async () => {
  const file = (name: string): string => join(folder, name);
  const subject = ["-subj", "/CN=turnpike", "-addext", "subjectAltName=DNS:turnpike"];
  const options = ["-newkey", "rsa:2048", "-nodes", "-days", "30", "-keyout", file("tls.key"), "-out", file("tls.crt")];
  execFileSync("openssl", ["req", "-x509", ...options, ...subject], { stdio: "ignore" });
  copyFileSync(file("tls.crt"), file("ca.crt"));
  process.env["GRPC_TLS_DIR"] = folder;
  const server = createGrpcServer({ log: createLogger("test", "silent"), internalSecret });
  const getSetup = async () => ({ isSetUp: true }) as never;
  server.add(AuthServiceService, { getSetup } as unknown as Handlers<AuthServiceServer>);
  const running = await server.listen("127.0.0.1", 0);
  address = `127.0.0.1:${running.port}`;
  stop = running.stop;
});
afterAll(async () => {
  delete process.env["GRPC_TLS_DIR"];
  await stop?.();
  rmSync(folder, { recursive: true });
});

/** Makes one call; a handshake that seems to succeed may still be refused, only a response proves it. */
const request = (client: AuthServiceClient): Promise<unknown> =>
  new Promise((resolve, reject) => {
    client.getSetup({}, new Metadata(), { deadline: Date.now() + 5_000 }, (error, response) =>
      error ? reject(error) : resolve(response),
    );
  });

describe("gRPC with mutual TLS", () => {
  it("serves callers with the install's certificate and secret", async () => {
    const client = createGrpcClient<AuthServiceServer>(AuthServiceClient, { address, internalSecret });
    await expect(client.getSetup({})).resolves.toBeDefined();
    client.close();
  });

  it("refuses callers without TLS, and callers without a certificate", async () => {
    const plain = new AuthServiceClient(address, credentials.createInsecure());
    await expect(request(plain)).rejects.toMatchObject({ code: status.UNAVAILABLE });
    plain.close();
    const ca = readFileSync(join(folder, "ca.crt"));
    const name = { "grpc.ssl_target_name_override": "turnpike" };
    const nameless = new AuthServiceClient(address, credentials.createSsl(ca), name);
    await expect(request(nameless)).rejects.toMatchObject({ code: status.UNAVAILABLE });
    nameless.close();
  });

  it("reports when its certificate expires", async () => {
    const text = await registry.metrics();
    const at = Number(/^turnpike_tls_certificate_expiry_timestamp_seconds (\d+)$/m.exec(text)?.[1]);
    expect(at - Date.now() / 1000).toBeGreaterThan(29 * 86_400);
    expect(at - Date.now() / 1000).toBeLessThan(31 * 86_400);
  });
});
