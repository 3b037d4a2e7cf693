import { join } from "node:path";
import { z } from "zod";
import { readJsonFile, writeJsonFile } from "../process/json-file.ts";
import { endOrphan } from "../process/orphans.ts";
import type { ServiceSpec } from "./service-specs.ts";

const Entry = z.object({ pid: z.number().int(), grpcPort: z.number().int(), opsPort: z.number().int() });
const RunFile = z.record(z.string(), Entry);

export type RunEntries = z.output<typeof RunFile>;

export const runFilePath = (dataFolder: string): string => join(dataFolder, "run", "services.json");

/** Part of a service's command line that no other program has. */
export const serviceMark = (root: string, service: string): string => join(root, "services", service, "src", "main.ts");

/** Writes the pids of the processes to DATA_DIR/run/services.json, for tools and fault tests. */
export function createRunFile(dataFolder: string) {
  const entries: RunEntries = {};
  return {
    put(spec: ServiceSpec, pid: number): void {
      entries[spec.name] = { pid, grpcPort: spec.grpcPort, opsPort: spec.opsPort };
      writeJsonFile(runFilePath(dataFolder), entries);
    },
    clear: (): void => writeJsonFile(runFilePath(dataFolder), {}),
  };
}

/** Ends services left running by a killed supervisor, so that two never use the same data folder. */
export async function endOrphanServices(dataFolder: string, root: string): Promise<void> {
  const entries = Object.entries(readJsonFile(runFilePath(dataFolder), RunFile) ?? {});
  await Promise.all(
    entries.map(([name, { pid }]) => endOrphan(pid, serviceMark(root, name.replace(/-\d+$/, "")), 6_000)),
  );
}
