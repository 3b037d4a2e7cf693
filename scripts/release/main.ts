/**
 * Makes a release in `.turnpike/release/<version>`: the images with bill of materials and provenance, the chart, the bill of
 * materials of the npm packages, checksums and a provenance statement of the files. cosign signs all of them where it is
 * installed.
 *
 * node scripts/release/main.ts [VERSION] [--push] [--no-images]. Without a version it first prepares the next one: the changelog's
 * fragments decide its number, and one commit with a tag stamps packages and chart. IMAGE_PREFIX (turnpike): where images are pushed, as
 * `example.test/turnpike`. RELEASE_BUILDER: the id of the builder in the provenance. COSIGN_ARGS: more arguments of cosign,
 * such as `--key cosign.key`; without a key cosign signs with the identity of its environment.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readSourceDate, writeSbom } from "../supply/sbom.ts";
import { runGit } from "./git.ts";
import { prepareRelease } from "./preparation.ts";
import { createProvenance, toChecksums, toSubject } from "./statement.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const SERVICES = ["auth", "billing", "channel", "messaging", "relay", "gateway"];
const PREFIX = process.env["IMAGE_PREFIX"] || "turnpike";
const COSIGN_ARGS = (process.env["COSIGN_ARGS"] ?? "").split(" ").filter((part) => part !== "");
const VERSION_PATTERN = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const has = (program: string): boolean => spawnSync(program, ["version"], { stdio: "ignore" }).status === 0;

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): void {
  print(`$ ${[program, ...args].join(" ")}`);
  execFileSync(program, args, { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, ...env } });
}

/** Builds one image with its bill of materials and provenance attached; returns its name with the digest. */
function buildImage(
  service: string,
  facts: { version: string; revision: string; isPushed: boolean; folder: string },
): string {
  const { version, revision, isPushed, folder } = facts;
  const name = `${PREFIX}/${service}:${version}`;
  const metadata = join(folder, `${service}.metadata.json`);
  const values = { SERVICE: service, VERSION: version, REVISION: revision };
  const settings = Object.entries(values).flatMap(([key, value]) => ["--build-arg", `${key}=${value}`]);
  const target = isPushed
    ? `type=image,name=${name},push=true,rewrite-timestamp=true`
    : `type=oci,dest=${join(folder, `${service}.oci.tar`)},rewrite-timestamp=true`;
  const attached = ["--sbom=true", "--provenance=mode=max", "--metadata-file", metadata];
  run(
    "docker",
    ["buildx", "build", "-f", "docker/service.Dockerfile", ...settings, ...attached, "--output", target, "."],
    {
      SOURCE_DATE_EPOCH: String(readSourceDate().getTime() / 1_000),
    },
  );
  const digest = (JSON.parse(readFileSync(metadata, "utf8")) as Record<string, string>)["containerimage.digest"] ?? "";
  return `${PREFIX}/${service}@${digest}`;
}

function packageChart(folder: string, version: string): string[] {
  if (!has("helm")) {
    print("the chart is not packaged: helm is not installed");
    return [];
  }
  run("helm", [
    "package",
    "deploy/helm/turnpike",
    "--version",
    version,
    "--app-version",
    version,
    "--destination",
    folder,
  ]);
  return [join(folder, `turnpike-${version}.tgz`)];
}

/** Signs files, and pushed images; returns the signatures. */
function sign(files: readonly string[], images: readonly string[]): string[] {
  if (!has("cosign")) {
    print("nothing is signed: cosign is not installed");
    return [];
  }
  for (const image of images) run("cosign", ["sign", "--yes", ...COSIGN_ARGS, image]);
  return files.map((file) => {
    const bundle = `${file}.sigstore.json`;
    run("cosign", ["sign-blob", "--yes", ...COSIGN_ARGS, "--bundle", bundle, file]);
    return bundle;
  });
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { push: { type: "boolean", default: false }, "no-images": { type: "boolean", default: false } },
});
const [given] = positionals;
if (given !== undefined && !VERSION_PATTERN.test(given))
  throw new Error("usage: main.ts [VERSION] [--push] [--no-images]; VERSION is as 1.2.3");
if (runGit(ROOT, "status", "--porcelain") !== "")
  throw new Error("the checkout has changes that are not committed: a release is made of a commit");

const startedAt = new Date().toISOString();
const version = given ?? prepareRelease(ROOT, startedAt.slice(0, 10));
const revision = runGit(ROOT, "rev-parse", "HEAD");
const folder = join(ROOT, ".turnpike/release", version);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const facts = { version, revision, isPushed: values.push, folder };
const images = values["no-images"] ? [] : SERVICES.map((service) => buildImage(service, facts));
const bill = writeSbom(folder);
const files = [bill, ...packageChart(folder, version)];
if (images.length > 0) {
  const list = join(folder, "images.txt");
  writeFileSync(list, images.map((image) => `${image}\n`).join(""));
  files.push(list);
}
const subjects = files.map(toSubject);
const provenance = join(folder, "provenance.intoto.json");
const build = {
  version,
  revision,
  repository: spawnSync("git", ["remote", "get-url", "origin"], { cwd: ROOT, encoding: "utf8" }).stdout.trim(),
  builder: process.env["RELEASE_BUILDER"] || "local",
  startedAt,
  finishedAt: new Date().toISOString(),
};
writeFileSync(provenance, `${JSON.stringify(createProvenance(subjects, build), undefined, 2)}\n`);
const checksums = join(folder, "SHA256SUMS");
writeFileSync(checksums, toChecksums([...subjects, toSubject(provenance)]));
sign([checksums, provenance], values.push ? images : []);
print(`release ${version} of ${revision} is in ${folder}`);
