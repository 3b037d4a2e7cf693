import { createHash } from "node:crypto";
import { createWriteStream, globSync, readFileSync } from "node:fs";
import { get } from "node:https";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Transform } from "node:stream";
import type { IncomingMessage } from "node:http";
import type { Tell } from "./backing-kind.ts";
import { succeeds } from "./fetch-package.ts";

const VERSION = "7.0.14";
const SITE = "https://fastdl.mongodb.org";
const ANSWER_TIMEOUT_MS = 5_000;
const DOWNLOAD_TIMEOUT_MS = 240_000;

/**
 * The build for a Linux distribution: all but two families with OpenSSL 3 run Ubuntu's build. The binary is tried
 * before it is used.
 */
function linuxBuild(osRelease: string, arch: string): string {
  const field = (name: string): string => new RegExp(`^${name}=["']?([^"'\\n]+)`, "m").exec(osRelease)?.[1] ?? "";
  if (/rhel|fedora|centos/.test(`${field("ID")} ${field("ID_LIKE")}`)) return "rhel90";
  const isDebian = field("ID") === "debian" && Number.parseInt(field("VERSION_ID"), 10) >= 12;
  return isDebian && arch === "x86_64" ? "debian12" : "ubuntu2204";
}

/** Name of the archive for this machine; undefined if MongoDB publishes none. */
export function archiveName(machine: { platform: string; arch: string; osRelease: string }): string | undefined {
  const { platform, osRelease } = machine;
  if (machine.arch !== "arm64" && machine.arch !== "x64") return undefined;
  const isArm = machine.arch === "arm64";
  if (platform === "darwin") return `osx/mongodb-macos-${isArm ? "arm64" : "x86_64"}-${VERSION}.tgz`;
  if (platform !== "linux") return undefined;
  const arch = isArm ? "aarch64" : "x86_64";
  return `linux/mongodb-linux-${arch}-${linuxBuild(osRelease, arch)}-${VERSION}.tgz`;
}

function osRelease(): string {
  try {
    return readFileSync("/etc/os-release", "utf8");
  } catch {
    return "";
  }
}

async function answerOf(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = get(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) }, (response) => {
      clearTimeout(late);
      if (response.statusCode === 200) return resolve(response);
      response.resume();
      reject(new Error(`${url} returned ${response.statusCode}`));
    });
    const late = setTimeout(() => request.destroy(new Error(`${SITE} did not respond`)), ANSWER_TIMEOUT_MS);
    request.once("error", (error) => {
      clearTimeout(late);
      reject(error);
    });
  });
}

async function textOf(url: string): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of await answerOf(url)) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

/**
 * Downloads MongoDB's archive, checks its published hash and extracts mongod; undefined if there is no archive to try.
 */
export async function downloadMongod(folder: string, tell: Tell): Promise<string | undefined> {
  const name = archiveName({ platform: process.platform, arch: process.arch, osRelease: osRelease() });
  if (name === undefined) return undefined;
  const expected = (await textOf(`${SITE}/${name}.sha256`)).trim().split(/\s+/)[0];
  tell(`downloading MongoDB ${VERSION}`);
  const archive = join(folder, "mongodb.tgz");
  const hash = createHash("sha256");
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(undefined, chunk);
    },
  });
  await pipeline(await answerOf(`${SITE}/${name}`), hashing, createWriteStream(archive));
  if (hash.digest("hex") !== expected) throw new Error("the archive does not match its published hash");
  if (!(await succeeds("tar", ["-xzf", archive, "-C", folder], 120_000))) return undefined;
  return globSync(join(folder, "*", "bin", "mongod"))[0];
}
