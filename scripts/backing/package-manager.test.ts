import { describe, expect, it } from "vitest";
import type { Outcome } from "../process/run-program.ts";
import { createInstaller, findLockHolder, type Package, runUnlocked } from "./package-manager.ts";

const HELD = "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 4242 (apt-get)";
const refused = (output: string): Outcome => ({ ok: false, output, reason: output });

describe("package installation", () => {
  it.each([
    [HELD, "process 4242 (apt-get)"],
    ["E: Could not get lock /var/lib/apt/lists/lock - open (11: Resource temporarily unavailable)", "another process"],
    ["E: Unable to lock directory /var/lib/apt/lists/", "another process"],
    ["E: Unable to locate package redis-server", undefined],
  ])("recognizes a held lock: %s", (output, holder) => {
    expect(findLockHolder(output)).toBe(holder);
  });

  it("waits until another installation releases its lock, and reports it once", async () => {
    const outcomes: Outcome[] = [refused(HELD), refused(HELD), { ok: true }];
    const lines: string[] = [];
    const run = () => Promise.resolve(outcomes.shift() ?? { ok: true as const });
    expect(await runUnlocked(run, { report: (text) => lines.push(text), retryMs: 1 })).toEqual({ ok: true });
    expect(outcomes).toEqual([]);
    expect(lines).toEqual([expect.stringContaining("process 4242 (apt-get) is installing packages")]);
  });

  it("gives up after the time limit and names the holder", async () => {
    const outcome = await runUnlocked(() => Promise.resolve(refused(HELD)), { report: () => undefined, timeoutMs: 0 });
    expect(outcome).toMatchObject({ ok: false, reason: expect.stringContaining("process 4242 (apt-get) holds") });
  });

  it("installs packages that are missing at the same time with one call, and later ones after it", async () => {
    const calls: string[] = [];
    let isRunning = false;
    const install = createInstaller(async (packages: readonly Package[]) => {
      expect(isRunning).toBe(false);
      isRunning = true;
      calls.push(packages.map(({ apt }) => apt).join(" "));
      await new Promise((resolve) => setTimeout(resolve, 5));
      isRunning = false;
      return { ok: true } as const;
    });
    const add = (apt: string) => install({ apt, brew: apt, binary: apt }, () => undefined);
    const first = [add("redis-server"), add("nats-server")];
    await Promise.resolve();
    await Promise.resolve();
    const later = [add("mongodb"), add("valkey")];
    expect(await Promise.all([...first, ...later])).toEqual(Array(4).fill({ ok: true }));
    expect(calls).toEqual(["redis-server nats-server", "mongodb valkey"]);
  });

  it("does not repeat a command that failed for another reason", async () => {
    let runs = 0;
    const run = () => Promise.resolve((runs++, refused("E: Unable to locate package redis-server")));
    expect(await runUnlocked(run, { report: () => undefined })).toMatchObject({ ok: false });
    expect(runs).toBe(1);
  });
});
