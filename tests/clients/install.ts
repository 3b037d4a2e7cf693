import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { getInstallFolder, installOnce, runInstallStep } from "./install-folder.ts";
import { installPython } from "./install-python.ts";
import { CLIENT_PACKAGES, type ClientPackages } from "./versions.ts";

/** The client's folder, and the folder of its programs. */
export type InstalledClient = { readonly folder: string; readonly bin: string };
export type Installation = InstalledClient | { readonly reason: string };

async function installNpm(folder: string, { packages, finish }: ClientPackages): Promise<void> {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock", "--loglevel=error"];
  await runInstallStep(["npm", "install", "--prefix", folder, ...flags, ...packages], folder);
  if (finish) await runInstallStep(finish, folder);
}

/**
 * Installs the pinned release of a client below `.turnpike/clients`, once for each set of versions. Returns the reason
 * where its packages are out of reach or not made for this machine.
 */
export async function installClient(id: string): Promise<Installation> {
  const pinned = CLIENT_PACKAGES[id];
  if (!pinned) return { reason: "versions.ts does not list it" };
  const isNpm = pinned.registry === "npm";
  const folder = getInstallFolder(id, pinned);
  try {
    await installOnce(folder, () => (isNpm ? installNpm(folder, pinned) : installPython(folder, pinned.packages)));
    return { folder, bin: join(folder, isNpm ? "node_modules/.bin" : "bin") };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Installs clients in this order, two at a time, while the first of them are tested already. Returns the installation of
 * each by its id. `leftOut`: why some are not installed.
 */
export function installClients(
  ids: readonly string[],
  leftOut: Readonly<Record<string, string>>,
): ReadonlyMap<string, Promise<Installation>> {
  const lanes: [Promise<unknown>, Promise<unknown>] = [Promise.resolve(), Promise.resolve()];
  return new Map(
    ids.map((id, index) => {
      const lane = index % 2 === 0 ? 0 : 1;
      const reason = leftOut[id];
      const installation = lanes[lane].then(() => (reason === undefined ? installClient(id) : { reason }));
      lanes[lane] = installation;
      return [id, installation];
    }),
  );
}

/** The clients that a preparation could not install (`CLIENTS_LEFT_OUT`), which are not tried again. */
export const readLeftOut = (): Readonly<Record<string, string>> =>
  JSON.parse(process.env["CLIENTS_LEFT_OUT"] ?? "{}") as Record<string, string>;
