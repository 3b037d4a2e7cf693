import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Where packages put servers although an ordinary user's PATH leaves these out. */
const SERVER_FOLDERS = ["/usr/local/bin", "/usr/local/sbin", "/usr/sbin", "/usr/bin", "/opt/homebrew/bin"];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Full path of a program, looked for on PATH and in the usual folders of servers; undefined when there is none. */
export function findOnPath(name: string, path = process.env["PATH"] ?? ""): string | undefined {
  return [...path.split(delimiter), ...SERVER_FOLDERS]
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name))
    .find(isExecutable);
}
