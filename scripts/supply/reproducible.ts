/**
 * Builds what the images contain twice from the last commit, in folders of other names and with another clock, and compares
 * every file: the console, the files of each service and the bill of materials; the images too where docker has buildx.
 * REPRODUCIBLE_IMAGES=false leaves the images out.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { compareTrees, hashOfTree, hashTree } from "./file-tree.ts";
import { createSbom, readSourceDate } from "./sbom.ts";

const ROOT = resolve(import.meta.dirname, "../..");
/** What docker/service.Dockerfile copies. */
const INPUTS = [
  "package.json",
  "package-lock.json",
  ".npmrc",
  "tsconfig.base.json",
  "proto",
  "services",
  "web",
  "docker",
];
const BUILD_MS = 900_000;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** The inputs of the last commit, without other files of the checkout. */
function checkOut(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync("git", ["archive", "HEAD", ...INPUTS], { cwd: ROOT, maxBuffer: 1024 ** 3 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
}

/** Builds the console of a check-out with this checkout's packages; returns its files. */
function buildConsole(folder: string, env: NodeJS.ProcessEnv): Map<string, string> {
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  execFileSync(process.execPath, [join(ROOT, "node_modules/vite/bin/vite.js"), "build"], {
    cwd: join(folder, "web"),
    env: { ...process.env, NODE_ENV: "production", ...env },
    stdio: ["ignore", "ignore", "inherit"],
    timeout: BUILD_MS,
  });
  return hashTree(join(folder, "web/dist"));
}

const hasBuildx = (): boolean => spawnSync("docker", ["buildx", "version"], { stdio: "ignore" }).status === 0;

/** The digest of an image's manifest; the builder's cache is not used, so every step runs. */
function buildImage(folder: string, service: string, target: string): string {
  const metadata = join(target, `${service}.json`);
  const output = `type=oci,dest=${join(target, `${service}.tar`)},rewrite-timestamp=true`;
  const args = [
    "-f",
    "docker/service.Dockerfile",
    "--build-arg",
    `SERVICE=${service}`,
    "--no-cache",
    "--provenance=false",
  ];
  execFileSync("docker", ["buildx", "build", ...args, "--output", output, "--metadata-file", metadata, "."], {
    cwd: folder,
    env: { ...process.env, SOURCE_DATE_EPOCH: String(readSourceDate().getTime() / 1_000) },
    stdio: ["ignore", "ignore", "inherit"],
    timeout: BUILD_MS,
  });
  return (JSON.parse(readFileSync(metadata, "utf8")) as Record<string, string>)["containerimage.digest"] ?? "";
}

let isGood = true;
function compare(what: string, one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): void {
  const differences = compareTrees(one, other);
  print(`${differences.length === 0 ? "equal" : "DIFFERENT"}: ${what}, ${one.size} files, sha256 ${hashOfTree(one)}`);
  for (const difference of differences.slice(0, 20)) print(`  ${difference}`);
  isGood &&= differences.length === 0 && one.size > 0;
}

const work = mkdtempSync(join(tmpdir(), "turnpike-reproducible-"));
try {
  // Names of other lengths, so that a path in an output shows.
  const folders = ["a", "another-folder"].map((name) => join(work, name)) as [string, string];
  for (const folder of folders) checkOut(folder);
  const [one, other] = folders;
  compare("files of the services", hashTree(join(one, "services")), hashTree(join(other, "services")));
  const consoles = [buildConsole(one, { TZ: "UTC" }), buildConsole(other, { TZ: "Asia/Tokyo", LC_ALL: "C" })] as const;
  compare("console", ...consoles);
  const toTree = (): Map<string, string> => new Map([["turnpike.cdx.json", JSON.stringify(createSbom())]]);
  compare("bill of materials", toTree(), toTree());
  if (process.env["REPRODUCIBLE_IMAGES"] === "false" || !hasBuildx())
    print("SKIPPED: images (docker with buildx is needed)");
  else {
    for (const folder of folders) rmSync(join(folder, "node_modules"));
    for (const folder of folders) mkdirSync(join(folder, ".images"));
    for (const service of ["relay", "gateway"]) {
      const [first, second] = folders.map((folder) => buildImage(folder, service, join(folder, ".images")));
      compare(`image of ${service}`, new Map([[service, first ?? ""]]), new Map([[service, second ?? "none"]]));
    }
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
if (!isGood) process.exitCode = 1;
