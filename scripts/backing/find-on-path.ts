import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Where packages install servers although these folders are not on an ordinary user's PATH. */
const SERVER_FOLDERS = ["/usr/local/bin", "/usr/local/sbin", "/usr/sbin", "/usr/bin", "/opt/homebrew/bin"];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Full path of a program, searched on PATH and in the usual server folders; undefined if not found. */
export function findOnPath(name: string, path = process.env["PATH"] ?? ""): string | undefined {
  return [...path.split(delimiter), ...SERVER_FOLDERS]
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name))
    .find(isExecutable);
}
