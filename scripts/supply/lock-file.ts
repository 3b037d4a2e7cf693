import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";

export const ROOT = resolve(import.meta.dirname, "../..");

const names = z.record(z.string(), z.string()).default({});
const Entry = z.object({
  version: z.string().default(""),
  integrity: z.string().optional(),
  license: z.string().optional(),
  /** A workspace: `resolved` is its folder. */
  link: z.boolean().default(false),
  resolved: z.string().default(""),
  dependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
  peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean().default(false) })).default({}),
});
type Entry = z.output<typeof Entry>;
const Lock = z.object({ packages: z.record(z.string(), Entry) });

/** One package of package-lock.json; `requires` are the paths of those that it loads. */
export type LockedPackage = {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly integrity: string | undefined;
  readonly licence: string | undefined;
  readonly requires: readonly string[];
};

/** Where Node finds a package from a folder: the nearest node_modules upwards that has it. */
function findPath(packages: Readonly<Record<string, Entry>>, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.includes("/") ? folder.slice(0, folder.lastIndexOf("/")) : "") {
    const path = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    const entry = packages[path];
    if (entry) return entry.link ? entry.resolved : path;
    if (folder === "") return undefined;
  }
}

/** Every package and workspace of package-lock.json by its path. */
export function readLock(): Map<string, LockedPackage> {
  const { packages } = Lock.parse(JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")));
  const toPackage = (path: string, entry: Entry): LockedPackage => {
    const isPeer = (name: string): boolean => entry.peerDependenciesMeta[name]?.optional !== true;
    const selected = [
      ...Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }),
      ...Object.keys(entry.peerDependencies).filter(isPeer),
    ];
    const requires = selected.flatMap((name) => findPath(packages, path, name) ?? []);
    const name = path.includes("node_modules/") ? (path.split("node_modules/").at(-1) ?? "") : path;
    const { version, integrity, license: licence } = entry;
    return { path, name, version, integrity, licence, requires: [...new Set(requires)].toSorted() };
  };
  const found = Object.entries(packages).filter(([path, { link }]) => path !== "" && !link);
  return new Map(found.map(([path, entry]) => [path, toPackage(path, entry)]));
}

/** What the images contain: the services, and the libraries that the console is built from. */
const SHIPPED = [
  "proto",
  "web",
  ...["auth", "billing", "channel", "contract", "gateway", "messaging", "relay", "shared"].map(
    (name) => `services/${name}`,
  ),
];

/** Packages of the registry, without the workspaces themselves. */
const isPackage = ({ path }: LockedPackage): boolean => path.includes("node_modules/");

/** The packages that a scope has: those that shipped code loads, or all that build and test it too. */
export function listPackages(lock: ReadonlyMap<string, LockedPackage>, scope: "shipped" | "all"): LockedPackage[] {
  if (scope === "all") return [...lock.values()].filter(isPackage);
  const reached = new Set<string>();
  const pending = [...SHIPPED];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    pending.push(...(lock.get(path)?.requires ?? []));
  }
  return [...lock.values()].filter((one) => reached.has(one.path) && isPackage(one));
}
