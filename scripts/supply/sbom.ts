import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listPackages, type LockedPackage, readLock, ROOT } from "./lock-file.ts";
import { readLicence } from "./licences.ts";

export const SBOM_FOLDER = join(ROOT, ".turnpike/sbom");

/** A version 5 UUID of a text, so that equal inputs have equal serial numbers. */
function toUuid(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  const variant = ((Number.parseInt(hex[16] ?? "0", 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The time of the last commit, which stands for the time of a build (reproducible-builds.org, SOURCE_DATE_EPOCH). */
export function readSourceDate(): Date {
  const given = process.env["SOURCE_DATE_EPOCH"];
  const seconds = given || execFileSync("git", ["log", "-1", "--format=%ct"], { cwd: ROOT, encoding: "utf8" }).trim();
  return new Date(Number(seconds) * 1_000);
}

/** The package URL of a package, which is its reference too; copies in several folders are one component. */
const toPurl = ({ name, version }: LockedPackage): string => `pkg:npm/${name.replace("@", "%40")}@${version}`;

function toHashes({ integrity = "" }: LockedPackage): { alg: string; content: string }[] {
  const [, algorithm, content = ""] = /^(sha\d+)-(\S+)/.exec(integrity) ?? [];
  if (algorithm === undefined) return [];
  return [{ alg: algorithm.replace("sha", "SHA-"), content: Buffer.from(content, "base64").toString("hex") }];
}

function toComponent(one: LockedPackage) {
  const [, group, name = one.name] = /^(@[^/]+)\/(.+)$/.exec(one.name) ?? [];
  const licence = readLicence(one);
  return {
    type: "library",
    "bom-ref": toPurl(one),
    ...(group === undefined ? {} : { group }),
    name,
    version: one.version,
    hashes: toHashes(one),
    licenses: licence === undefined ? [] : [{ expression: licence }],
    purl: toPurl(one),
  };
}

function listRequired({ requires }: LockedPackage, lock: ReadonlyMap<string, LockedPackage>): string[] {
  const found = requires.filter((path) => path.includes("node_modules/")).flatMap((path) => lock.get(path) ?? []);
  return [...new Set(found.map(toPurl))].toSorted();
}

/**
 * The CycloneDX bill of materials of what the images contain, made of package-lock.json. `npm sbom` with chosen workspaces
 * leaves out what other workspaces load.
 */
export function createSbom(lock = readLock()) {
  const byReference = new Map(listPackages(lock, "shipped").map((one) => [toPurl(one), one]));
  const packages = [...byReference.values()].toSorted((one, other) => (toPurl(one) < toPurl(other) ? -1 : 1));
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
  const content = {
    metadata: {
      timestamp: readSourceDate().toISOString(),
      lifecycles: [{ phase: "build" }],
      component: {
        type: "application",
        "bom-ref": "turnpike",
        name: "turnpike",
        version,
        licenses: [{ license: { id: "Apache-2.0" } }],
      },
    },
    components: packages.map(toComponent),
    dependencies: packages.map((one) => ({
      ref: toPurl(one),
      dependsOn: listRequired(one, lock),
    })),
  };
  const serialNumber = `urn:uuid:${toUuid(JSON.stringify(content))}`;
  return { bomFormat: "CycloneDX", specVersion: "1.5", serialNumber, version: 1, ...content };
}

/** Writes the bill of materials to `folder` and returns its path. */
export function writeSbom(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "turnpike.cdx.json");
  writeFileSync(path, `${JSON.stringify(createSbom(), undefined, 2)}\n`);
  return path;
}
