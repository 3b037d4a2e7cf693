import { execFileSync } from "node:child_process";

/** Runs git in a folder and returns what it prints. Throws when it fails. */
export const runGit = (folder: string, ...args: readonly string[]): string =>
  execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trim();
