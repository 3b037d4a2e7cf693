import { createHash } from "node:crypto";
import { createWriteStream, globSync } from "node:fs";
import { get } from "node:https";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Transform } from "node:stream";
import type { IncomingMessage } from "node:http";
import { runProgram } from "../process/run-program.ts";
import type { Report } from "./backing-kind.ts";

const VERSION = "7.0.14";
const SITE = "https://fastdl.mongodb.org";
const RESPONSE_TIMEOUT_MS = 5_000;
const DOWNLOAD_TIMEOUT_MS = 240_000;
const UNPACK_TIMEOUT_MS = 120_000;

/** The archives by platform and architecture, as Node names them, with their SHA-256. Ubuntu's build runs where OpenSSL 3 is. */
const ARCHIVES: Readonly<Record<string, { readonly name: string; readonly sha256: string }>> = {
  "linux-x64": {
    name: `linux/mongodb-linux-x86_64-ubuntu2204-${VERSION}.tgz`,
    sha256: "b4cf8caae108785135ecc8b86ad8ed6df5d6efb84b9b95a50ecba2fc246ce084",
  },
  "linux-arm64": {
    name: `linux/mongodb-linux-aarch64-ubuntu2204-${VERSION}.tgz`,
    sha256: "e17887bfa24aa2967fdf1ad7c13fa7bd0d8eb1b9212fbf6ec010a738e31a3657",
  },
  "darwin-x64": {
    name: `osx/mongodb-macos-x86_64-${VERSION}.tgz`,
    sha256: "9b0f70feacf7c41542ee7d0905e2f8090b09d5b8413f0c9079406c09afd7a2c0",
  },
  "darwin-arm64": {
    name: `osx/mongodb-macos-arm64-${VERSION}.tgz`,
    sha256: "8805f8b33801cd07b90118c25e507b0de21c6ad426b375fbe49e896ffc575d0e",
  },
};

/** The archive for this machine; undefined if there is none. */
export const findArchive = (platform: string, arch: string): { name: string; sha256: string } | undefined =>
  ARCHIVES[`${platform}-${arch}`];

async function getResponse(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = get(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) }, (response) => {
      clearTimeout(late);
      if (response.statusCode === 200) return resolve(response);
      response.resume();
      reject(new Error(`${url} returned ${response.statusCode}`));
    });
    const late = setTimeout(() => request.destroy(new Error(`${SITE} did not respond`)), RESPONSE_TIMEOUT_MS);
    request.once("error", (error) => {
      clearTimeout(late);
      reject(error);
    });
  });
}

/**
 * Downloads MongoDB's archive, checks that it is the pinned file and extracts mongod; undefined if there is no archive to
 * try.
 */
export async function downloadMongod(folder: string, report: Report): Promise<string | undefined> {
  const found = findArchive(process.platform, process.arch);
  if (found === undefined) return undefined;
  report(`downloading MongoDB ${VERSION}`);
  const archive = join(folder, "mongodb.tgz");
  const hash = createHash("sha256");
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(undefined, chunk);
    },
  });
  await pipeline(await getResponse(`${SITE}/${found.name}`), hashing, createWriteStream(archive));
  if (hash.digest("hex") !== found.sha256)
    throw new Error("the archive is not the expected file (its SHA-256 differs)");
  const unpacked = await runProgram("tar", ["-xzf", archive, "-C", folder], { timeoutMs: UNPACK_TIMEOUT_MS });
  if (!unpacked.ok) throw new Error(`the archive could not be unpacked: ${unpacked.reason}`);
  return globSync(join(folder, "*", "bin", "mongod"))[0];
}
