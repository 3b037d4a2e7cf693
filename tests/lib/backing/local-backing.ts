import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Backings, findAllBackings } from "../../../scripts/backing/find-all.ts";

export type LocalBacking = Backings & {
  /** Stops the servers and removes their data. */
  dispose(): Promise<void>;
};

/** Starts a MongoDB replica set, Redis and NATS with JetStream as processes, on free ports, with data in a temporary folder. */
export async function startLocalBacking(): Promise<LocalBacking> {
  const dataFolder = mkdtempSync(join(tmpdir(), "turnpike-backing-"));
  const backings = await findAllBackings({
    env: {},
    dataFolder,
    database: "turnpike",
    sharedDatabase: "turnpike",
    mayShare: false,
    report: (message) => console.log(message),
  });
  const servers = Object.values(backings.found).flatMap(({ server }) => (server ? [server] : []));
  // An interrupted run calls no teardown, and its exit handlers cannot wait.
  const endAll = (): void => servers.forEach((server) => server.process.kill("SIGKILL"));
  process.once("exit", endAll);
  return {
    ...backings,
    async dispose() {
      process.off("exit", endAll);
      await backings.stop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}
