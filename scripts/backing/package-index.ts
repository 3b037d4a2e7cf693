import { createWriteStream, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { SetupError } from "../process/setup-error.ts";
import type { Wheel } from "./wheels.ts";

const JSON_TYPE = "application/vnd.pypi.simple.v1+json";
const LIST_TIMEOUT_MS = 30_000;
const DOWNLOAD_TIMEOUT_MS = 240_000;

const Listing = z.object({
  files: z.array(z.object({ url: z.string(), hashes: z.record(z.string(), z.string()).default({}) })),
});

/** Files of pip's configuration, the most specific one first. */
function listConfigFiles(env: NodeJS.ProcessEnv, home: string): string[] {
  const given = env["PIP_CONFIG_FILE"];
  const config = env["XDG_CONFIG_HOME"] || join(home, ".config");
  return [
    ...(given === undefined ? [] : [given]),
    join(home, "Library/Application Support/pip/pip.conf"),
    join(config, "pip/pip.conf"),
    join(home, ".pip/pip.conf"),
    "/etc/pip.conf",
  ];
}

/** `index-url` of one file of pip's configuration: that of downloads, else that of everything. */
function readIndexUrl(text: string): string | undefined {
  const found = new Map<string, string>();
  let section = "";
  for (const line of text.split("\n")) {
    section = /^\s*\[([^\]]+)\]/.exec(line)?.[1] ?? section;
    const value = /^\s*index[-_]url\s*[=:]\s*(\S+)/.exec(line)?.[1];
    if (value !== undefined) found.set(section, value);
  }
  return found.get("download") ?? found.get("global");
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** The Python package index that the environment or pip's configuration names; undefined if neither does. */
export function findPackageIndex(env: NodeJS.ProcessEnv, home: string = homedir()): string | undefined {
  const given = env["PIP_INDEX_URL"];
  if (given !== undefined && given !== "") return given;
  for (const path of listConfigFiles(env, home)) {
    const url = readIndexUrl(readText(path));
    if (url !== undefined) return url;
  }
  return undefined;
}

type Request = { readonly url: URL; readonly headers: Record<string, string> };

/** A request of the index; fetch refuses addresses with a password, so it becomes a header. */
function toRequest(address: string, index: URL): Request {
  const url = new URL(address, index);
  const credentials = url.host === index.host && url.username === "" ? index : url;
  const { username, password } = credentials;
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  url.username = "";
  url.password = "";
  return { url, headers: pair === ":" ? {} : { authorization: `Basic ${Buffer.from(pair).toString("base64")}` } };
}

async function request({ url, headers }: Request, timeoutMs: number, accept = "*/*"): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { headers: { ...headers, accept }, signal });
  if (!response.ok) throw new SetupError(`${url.host} returned ${response.status} for ${url.pathname}`);
  return response;
}

/** The addresses of a project's files with their SHA-256, from either form of the simple API. */
function readListing(type: string, text: string): { url: string; sha256: string | undefined }[] {
  if (type.includes("json"))
    return Listing.parse(JSON.parse(text)).files.map(({ url, hashes }) => ({ url, sha256: hashes["sha256"] }));
  return [...text.matchAll(/href="([^"#]+)(?:#sha256=([0-9a-f]{64}))?"/g)].map(([, url = "", sha256]) => ({
    url: url.replaceAll("&amp;", "&"),
    sha256,
  }));
}

/** Downloads the pinned file of a wheel from the index to `path`. Throws with the reason if the index does not have it. */
export async function downloadFromIndex(indexUrl: string, wheel: Wheel, path: string): Promise<void> {
  const index = new URL(indexUrl.endsWith("/") ? indexUrl : `${indexUrl}/`);
  const [project = ""] = wheel.requirement.split("==");
  const page = toRequest(`${project}/`, index);
  const listed = await request(page, LIST_TIMEOUT_MS, `${JSON_TYPE}, text/html;q=0.5`);
  const files = readListing(listed.headers.get("content-type") ?? "", await listed.text());
  const file = files.find(({ sha256 }) => sha256 === wheel.sha256);
  if (file === undefined) throw new SetupError(`${index.host} does not list the expected file of ${wheel.requirement}`);
  const source = toRequest(new URL(file.url, listed.url).href, index);
  const { body } = await request(source, DOWNLOAD_TIMEOUT_MS);
  if (!body) throw new SetupError(`${source.url.host} returned no file`);
  await pipeline(Readable.fromWeb(body), createWriteStream(path));
}
