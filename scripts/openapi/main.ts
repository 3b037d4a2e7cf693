import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { listStaleFiles, ROOT } from "./files.ts";

const isCheck = process.argv.includes("--check");
const stale = await listStaleFiles();
for (const [name, text] of stale) {
  if (!isCheck) writeFileSync(join(ROOT, name), text);
  process.stdout.write(`${name} ${isCheck ? "is not current: run make openapi" : "written"}\n`);
}
if (isCheck && stale.length > 0) process.exitCode = 1;
