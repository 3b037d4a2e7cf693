import { z } from "zod";
import { readConfig } from "../config/read-config.ts";
import { connectMongo } from "../mongo/mongo.ts";
import { toLookupPart } from "../crypto/secret-box.ts";
import { reencryptSecrets } from "./secret-reencryption.ts";
import { restoreBackup } from "./restore.ts";
import { deleteOldBackups, saveBackup } from "./save.ts";

/** Command line: save FOLDER [--keep=N] | restore FOLDER | rotate-master-key. MONGODB_URL is the database. */
const Config = z.object({
  MONGODB_URL: z.string().startsWith("mongodb"),
  MASTER_KEY: z.string().optional(),
  TURNPIKE_VERSION: z.string().default("dev"),
});
const [command, folder = "", ...options] = process.argv.slice(2);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function run(): Promise<number> {
  const config = readConfig(Config);
  const connection = await connectMongo(config.MONGODB_URL);
  try {
    if (command === "save" && folder !== "") {
      print(`saved to ${await saveBackup(connection, folder, config.TURNPIKE_VERSION)}`);
      const backupsMax = Number(options.find((option) => option.startsWith("--keep="))?.slice("--keep=".length) ?? 0);
      if (backupsMax > 0) await deleteOldBackups(folder, backupsMax);
      return 0;
    }
    if (command === "restore" && folder !== "") {
      const { collections, createdAt } = await restoreBackup(connection, folder);
      const documents = collections.reduce((sum, { count }) => sum + count, 0);
      print(`restored ${documents} documents in ${collections.length} collections, as of ${createdAt}`);
      return 0;
    }
    if (command === "rotate-master-key") {
      if (config.MASTER_KEY?.includes(",") !== true)
        throw new Error("MASTER_KEY must list the new key and the old ones, separated by commas");
      const { reencrypted, current, unreadable } = await reencryptSecrets(connection, config.MASTER_KEY);
      print(
        `${reencrypted} secrets re-encrypted, ${current} were up to date, ${unreadable} cannot be decrypted by any of the keys`,
      );
      if (reencrypted + unreadable === 0)
        print(
          `every service may run with MASTER_KEY=<first key>,${toLookupPart(config.MASTER_KEY)}: the other keys can go`,
        );
      return unreadable === 0 ? 0 : 1;
    }
    throw new Error("usage: main.ts save FOLDER [--keep=N] | restore FOLDER | rotate-master-key");
  } finally {
    await connection.close();
  }
}

process.exitCode = await run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});
