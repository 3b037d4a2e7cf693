import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createClients, createCluster, createEngine } from "./tools.ts";

const folder = mkdtempSync(join(tmpdir(), "turnpike-tools-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
/** A program whose commands are recorded, and what it records. */
function program(script: string): { readonly path: string; readonly calls: () => string[] } {
  const path = join(folder, `tool-${count++}`);
  writeFileSync(path, `#!/bin/sh\necho "$1" >> ${path}.calls\n${script}\n`, { mode: 0o755 });
  return { path, calls: () => readFileSync(`${path}.calls`, "utf8").trim().split("\n") };
}
const limits = { folder, limitSeconds: 2 };

describe("container engine of .ci/run", () => {
  it("is unavailable where it is not there", async () => {
    const path = join(folder, "none");
    expect(await createEngine({ path, ...limits }).prepare()).toMatchObject({
      state: "unavailable",
      reason: `${path} is not there`,
    });
  });

  it("is unavailable when it fails twice, and is tried once for all steps", async () => {
    const { path, calls } = program("[ $1 = down ] || { echo no storage >&2; exit 1; }");
    const engine = createEngine({ path, ...limits });
    const [first, second] = await Promise.all([engine.prepare(), engine.prepare()]);
    expect(first).toMatchObject({ state: "unavailable", reason: "the container engine ended with 1: no storage" });
    expect(second).toBe(first);
    expect(calls()).toEqual(["down", "up", "down", "up", "down"]);
  });

  it("is unavailable when it hangs", async () => {
    const { path } = program("[ $1 = down ] || exec sleep 60");
    expect(await createEngine({ path, folder, limitSeconds: 1 }).prepare()).toMatchObject({
      state: "unavailable",
      reason: "the container engine gave no result within 1 s",
    });
  });

  it("is unavailable when no container can be started on it or reached", async () => {
    const { path, calls } = program("[ $1 != up ] || echo DOCKER_HOST=unix:///nowhere/engine.sock");
    expect(await createEngine({ path, folder, limitSeconds: 8 }).prepare()).toMatchObject({
      state: "unavailable",
      reason: expect.stringMatching(/^a container (?:ended with 1: .*container runtime|gave no result)/),
    });
    expect(calls()).toEqual(["down", "up", "images", "down", "up", "images", "down"]);
  }, 60_000);
});

describe("Kubernetes of .ci/run", () => {
  it("is unavailable where it is not there, fails or hangs", async () => {
    expect((await createCluster({ path: join(folder, "none"), ...limits }).prepare()).state).toBe("unavailable");
    const failing = program("exit 1");
    expect((await createCluster({ path: failing.path, ...limits }).prepare()).state).toBe("unavailable");
    const hanging = program("[ $1 = down ] || exec sleep 60");
    expect((await createCluster({ path: hanging.path, folder, limitSeconds: 1 }).prepare()).state).toBe("unavailable");
  }, 60_000);
});

describe("clients of .ci/run", () => {
  const install = (script: string) => createClients({ command: ["sh", "-c", script], ...limits });
  const print = (result: object): string => `echo '${JSON.stringify(result)}'`;

  it("are ready with those that are installed, and name the others with their reasons", async () => {
    const leftOut = { aider: "from versions: none" };
    const script = `echo noise; ${print({ installed: ["llm"], leftOut })}`;
    expect(await install(script).prepare()).toEqual({
      state: "ready",
      env: { CLIENTS_LEFT_OUT: JSON.stringify(leftOut) },
      leftOut: ["aider: from versions: none"],
    });
  });

  it("are unavailable when none is installed", async () => {
    const script = print({ installed: [], leftOut: { llm: "ECONNREFUSED", aider: "timed out" } });
    expect(await install(script).prepare()).toEqual({
      state: "unavailable",
      reason: "no client is installed; llm: ECONNREFUSED",
    });
  });

  it("fail when their installer is broken or hangs", async () => {
    for (const script of ["echo crashed; exit 1", "echo '{}'", "echo noise", "exec sleep 60"])
      expect((await install(script).prepare()).state).toBe("failed");
  });

  it("are installed once for all steps", async () => {
    const file = join(folder, "installs");
    const clients = install(`echo x >> ${file}; ${print({ installed: ["llm"], leftOut: {} })}`);
    await Promise.all([clients.prepare(), clients.prepare()]);
    await clients.stop();
    await clients.prepare();
    expect(readFileSync(file, "utf8")).toBe("x\n");
  });
});
