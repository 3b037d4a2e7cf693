import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "@turnpike/shared/log/log";
import { connectNats, connectNatsOnce } from "@turnpike/shared/events/bus";
import { NatsConfig } from "@turnpike/shared/events/nats-options";
import { createAccount, createOperator, createUser, type KeyPair } from "@nats-io/nkeys";
import { afterAll, describe, expect, it } from "vitest";
import { freePort } from "../../../scripts/process/ports.ts";
import { findBinary } from "../../lib/backing/store-binaries.ts";
import { createStoreProcess, type StoreProcess } from "../../lib/backing/store-process.ts";
import { makeCertificate } from "../../lib/network/test-certificate.ts";

const log = createLogger("test", "silent");
const folder = mkdtempSync(join(tmpdir(), "turnpike-nats-"));
const started: StoreProcess[] = [];
afterAll(async () => {
  await Promise.all(started.map((server) => server.kill()));
  rmSync(folder, { recursive: true, force: true });
});
const toFile = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

/** A server with these lines in its configuration; returns its port. */
async function startServer(name: string, ...lines: string[]): Promise<number> {
  const port = await freePort();
  const config = toFile(`${name}.conf`, [`listen: "127.0.0.1:${port}"`, ...lines].join("\n"));
  const args = ["-c", config];
  const server = createStoreProcess({ name, command: findBinary("nats-server"), args, port, folder });
  started.push(server);
  await server.start();
  return port;
}
/** A claim of the NATS operator mode, signed as `nsc` does. */
function signClaim(issuer: KeyPair, subject: KeyPair, nats: object): string {
  const toPart = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const head = toPart({ typ: "JWT", alg: "ed25519-nkey" });
  const sub = subject.getPublicKey();
  const body = toPart({ jti: sub, iat: 1_700_000_000, iss: issuer.getPublicKey(), name: "test", sub, nats });
  const signature = Buffer.from(issuer.sign(Buffer.from(`${head}.${body}`))).toString("base64url");
  return `${head}.${body}.${signature}`;
}

/** A server in operator mode, where users sign in with a credentials file; returns its port and such a file's text. */
async function startOperatorServer(): Promise<{ port: number; credentials: string }> {
  const [operator, account, user] = [createOperator(), createAccount(), createUser()];
  const limits = { subs: -1, conn: -1, leaf: -1, imports: -1, exports: -1, data: -1, payload: -1, wildcards: true };
  const operatorClaim = signClaim(operator, operator, { type: "operator", version: 2 });
  const accountClaim = signClaim(operator, account, { type: "account", version: 2, limits });
  const userClaim = signClaim(account, user, { type: "user", version: 2, subs: -1, data: -1, payload: -1 });
  const port = await startServer(
    "creds",
    `operator: "${operatorClaim}"`,
    "resolver: MEMORY",
    `resolver_preload: { ${account.getPublicKey()}: "${accountClaim}" }`,
  );
  const toBlock = (title: string, text: string): string =>
    `-----BEGIN ${title}-----\n${text}\n------END ${title}------\n`;
  const seed = new TextDecoder().decode(user.getSeed());
  return { port, credentials: toBlock("NATS USER JWT", userClaim) + toBlock("USER NKEY SEED", seed) };
}

type Settings = Partial<Record<keyof NatsConfig, string>>;

/** Whether a program that ends soon, such as the import, can publish with these settings. */
async function connectsOnce(url: string, settings: Settings): Promise<boolean> {
  const nats = await connectNatsOnce({ url, name: "test", config: NatsConfig.parse(settings) }).catch(() => undefined);
  if (!nats) return false;
  await nats.flush();
  await nats.close();
  return true;
}

/** Whether a service's connection with these settings can publish, and equally that of a program that ends soon. */
async function connects(url: string, settings: Settings = {}): Promise<boolean> {
  const isOpen = await connectsAsService(url, settings);
  expect(await connectsOnce(url, settings)).toBe(isOpen);
  return isOpen;
}

async function connectsAsService(url: string, settings: Settings): Promise<boolean> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, 1_500, undefined).unref());
  const connecting = connectNats({ url, name: "test", log, config: NatsConfig.parse(settings) });
  connecting.then((nats) => setTimeout(() => void nats.close(), 3_000).unref()).catch(() => undefined);
  const nats = await Promise.race([connecting, late]).catch(() => undefined);
  if (!nats) return false;
  return (await nats.flush().then(() => true)) && nats.rtt().then((ms) => ms >= 0);
}

describe("connection to NATS", () => {
  it("signs in with a user and password, in the URL or the settings, and not without", async () => {
    const port = await startServer("user", 'authorization { user: ann, password: "p@ss" }');
    expect(await connects(`nats://ann:p%40ss@127.0.0.1:${port}`)).toBe(true);
    const settings = { NATS_USER: "ann", NATS_PASSWORD: "p@ss" };
    expect(await connects(`nats://127.0.0.1:${port},127.0.0.1:1`, settings)).toBe(true);
    expect(await connects(`nats://127.0.0.1:${port}`)).toBe(false);
  });

  it("signs in with a token", async () => {
    const port = await startServer("token", "authorization { token: s3cret }");
    expect(await connects(`nats://127.0.0.1:${port}`, { NATS_TOKEN: "s3cret" })).toBe(true);
    expect(await connects(`nats://s3cret@127.0.0.1:${port}`)).toBe(true);
    expect(await connects(`nats://127.0.0.1:${port}`, { NATS_TOKEN: "other" })).toBe(false);
  });

  it("signs in with an nkey from a file", async () => {
    const pair = createUser();
    const port = await startServer("nkey", `authorization { users: [{ nkey: ${pair.getPublicKey()} }] }`);
    const file = toFile("user.nk", `${new TextDecoder().decode(pair.getSeed())}\n`);
    expect(await connects(`nats://127.0.0.1:${port}`, { NATS_NKEY_FILE: file })).toBe(true);
    expect(await connects(`nats://127.0.0.1:${port}`)).toBe(false);
  });

  it("signs in with a credentials file, whose newest content counts at each connection", async () => {
    const { port, credentials } = await startOperatorServer();
    const file = toFile("user.creds", credentials);
    expect(await connects(`nats://127.0.0.1:${port}`, { NATS_CREDS_FILE: file })).toBe(true);
    expect(await connects(`nats://127.0.0.1:${port}`)).toBe(false);
    toFile("user.creds", (await startOperatorServer()).credentials);
    expect(await connects(`nats://127.0.0.1:${port}`, { NATS_CREDS_FILE: file })).toBe(false);
  });

  it("verifies the server by a CA and presents a client certificate", async () => {
    const { cert, key } = await makeCertificate();
    const [certFile, keyFile] = [toFile("tls.crt", cert), toFile("tls.key", key)];
    const port = await startServer(
      "tls",
      `tls { cert_file: "${certFile}", key_file: "${keyFile}", ca_file: "${certFile}", verify: true }`,
    );
    const tls = { NATS_TLS_CA_FILE: certFile, NATS_TLS_CERT_FILE: certFile, NATS_TLS_KEY_FILE: keyFile };
    expect(await connects(`tls://localhost:${port}`, tls)).toBe(true);
    expect(await connects(`tls://localhost:${port}`, { NATS_TLS_CA_FILE: certFile })).toBe(false);
    expect(await connects(`tls://localhost:${port}`)).toBe(false);
  });
});
