import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ClientSnippet, SnippetFacts } from "../../services/contract/src/clients/snippet.ts";
import type { InstalledClient } from "./install.ts";
import { type ProgramResult, runProgram } from "./run-program.ts";

/** Runs a snippet's commands or program, by its language. */
const RUNNERS: Readonly<Record<string, { readonly script: string; readonly command: readonly string[] }>> = {
  sh: { script: "snippet.sh", command: ["bash", "-e"] },
  python: { script: "snippet.py", command: ["python"] },
  ts: { script: "snippet.ts", command: [process.execPath] },
};

/** What a test adds to a snippet. */
export type Additions = {
  /** Arguments after the snippet's last command. */
  readonly args?: string;
  /** Lines after the snippet. */
  readonly lines?: string;
  /** Lines after a file of the snippet, by the file's path. */
  readonly inFiles?: Readonly<Record<string, string>>;
  /** More files by their path: below the home folder, or in the working folder. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
};

/** A home folder and a working folder of a client's own. */
export function createHome() {
  const root = mkdtempSync(join(tmpdir(), "turnpike-client-"));
  const [home, work] = [join(root, "home"), join(root, "work")];
  const toPath = (path: string): string => (path.startsWith("~/") ? join(home, path.slice(2)) : join(work, path));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(toPath(path)), { recursive: true });
    writeFileSync(toPath(path), text);
  };
  mkdirSync(home);
  mkdirSync(work);
  return { home, work, write, remove: () => rmSync(root, { recursive: true, force: true }) };
}
export type Home = ReturnType<typeof createHome>;

/** An environment without the machine's own settings. */
const clientEnv = (home: Home, client: InstalledClient): Record<string, string> => ({
  HOME: home.home,
  PATH: [client.bin, dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
  TMPDIR: home.work,
  LANG: "C.UTF-8",
  SHELL: "/bin/bash",
  TERM: "dumb",
  NO_COLOR: "1",
  DO_NOT_TRACK: "1",
});

type Run = {
  readonly snippet: ClientSnippet;
  readonly client: InstalledClient;
  readonly facts: SnippetFacts;
  readonly additions: Additions;
  readonly timeoutMs: number;
};

/**
 * Sets a client up by its snippet alone, as a reader does, and runs the snippet's program or commands with the additions
 * of the test.
 */
export async function runSnippet(home: Home, run: Run): Promise<ProgramResult> {
  const { snippet, client, facts, timeoutMs } = run;
  const { args = "", lines = "", inFiles = {}, files = {}, env = {} } = run.additions;
  for (const [path, text] of Object.entries(files)) home.write(path, text);
  // Programs find the client's packages from their own folder.
  if (existsSync(join(client.folder, "node_modules")))
    symlinkSync(join(client.folder, "node_modules"), join(home.work, "node_modules"));
  let command: readonly string[] = [];
  for (const { path, language, code } of snippet.blocks(facts)) {
    if (path !== undefined) {
      home.write(path, `${code}\n${inFiles[path] ?? ""}`);
      continue;
    }
    const runner = RUNNERS[language];
    if (!runner) throw new Error(`no program runs ${language}`);
    home.write(runner.script, `${code}${args && ` ${args}`}\n${lines}\n`);
    command = [...runner.command, runner.script];
  }
  return runProgram(command, { cwd: home.work, env: { ...clientEnv(home, client), ...env }, timeoutMs });
}
