import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { listStalePages, ROOT } from "./files.ts";

for (const [path, text] of await listStalePages()) {
  writeFileSync(join(ROOT, path), text);
  process.stdout.write(`${path} written\n`);
}
