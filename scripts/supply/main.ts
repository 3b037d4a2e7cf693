import { relative } from "node:path";
import { audit } from "./audit.ts";
import { scanImages } from "./image-scan.ts";
import { checkLicences } from "./licences.ts";
import { listPackages, readLock } from "./lock-file.ts";
import { SBOM_FOLDER, writeSbom } from "./sbom.ts";

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function listLicences(): boolean {
  const lock = readLock();
  let isGood = true;
  for (const scope of ["shipped", "all"] as const) {
    const { counts, refused } = checkLicences(listPackages(lock, scope), scope);
    print(`\n${scope === "shipped" ? "Shipped" : "Shipped, build tools and tests"}`);
    for (const [licence, count] of [...counts].toSorted(([, a], [, b]) => b - a))
      print(`${String(count).padStart(6)}  ${licence}`);
    for (const line of refused) print(`NOT ALLOWED: ${line}`);
    isGood &&= refused.length === 0;
  }
  return isGood;
}

function runCommand(command: string | undefined, names: readonly string[]): boolean {
  switch (command) {
    case "sbom":
      print(relative(process.cwd(), writeSbom(SBOM_FOLDER)));
      return true;
    case "licences":
      return listLicences();
    case "audit":
      return audit(print);
    case "image-scan":
      return scanImages(names, print);
    default:
      print("usage: main.ts sbom | licences | audit | image-scan IMAGE...");
      return false;
  }
}

if (!runCommand(process.argv[2], process.argv.slice(3))) process.exitCode = 1;
