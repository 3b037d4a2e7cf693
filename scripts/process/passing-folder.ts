import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder in the system's temporary folder, named after `purpose`, removed when this process ends. */
export function passingFolder(purpose: string): string {
  const folder = mkdtempSync(join(tmpdir(), `turnpike-${purpose}-`));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
