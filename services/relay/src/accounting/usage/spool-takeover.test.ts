import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "@turnpike/shared/log/log";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isProcessAlive, ownIdentity } from "@turnpike/shared/lifecycle/process-identity";
import { Spool } from "./spool.ts";
import { createSpoolTakeover } from "./spool-takeover.ts";

const log = createLogger("test", "silent");
let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "turnpike-takeover-"));
});
afterEach(() => rmSync(root, { recursive: true }));

/** A relay on the volume, with a clock and a view of the heartbeats in Redis. */
function openRelay(owner: string) {
  const state = { nowMs: 0, beats: new Map<string, string>(), isRedisDown: false };
  const recover = (folder: string): string[] => (existsSync(join(folder, "journal-0")) ? ["from the log"] : []);
  const spool = new Spool({ root, owner, bytesMax: 1e9, log, recover });
  const takeover = createSpoolTakeover({
    spool,
    root,
    owner,
    readHeartbeat: (relayId) =>
      state.isRedisDown ? Promise.reject(new Error("down")) : Promise.resolve(state.beats.get(relayId)),
    sendSpooled: () => undefined,
    monotonicMs: () => state.nowMs,
    log,
  });
  /** Looks every five seconds. */
  const watch = async (seconds: number, onLook = (): void => undefined): Promise<void> => {
    for (let passed = 0; passed <= seconds; passed += 5) {
      onLook();
      await takeover.checkOnce().catch(() => undefined);
      state.nowMs += 5_000;
    }
  };
  const lines = async (): Promise<string[]> => {
    const all: string[] = [];
    await spool.drain(async (line) => void all.push(line));
    return all;
  };
  return { state, spool, takeover, watch, lines };
}

const elsewhere = (): string => JSON.stringify({ pid: process.pid, space: "another container", startedAt: "1" });
function leaveFolder(name: string, identity: string): void {
  mkdirSync(join(root, name));
  writeFileSync(join(root, name, "pid"), identity);
  writeFileSync(join(root, name, "001-000.ndjson"), "spooled\n");
  writeFileSync(join(root, name, "journal-0"), "#0\n");
}

it("knows this process, an ended one, one that reuses its id, and one that it cannot see", async () => {
  expect(isProcessAlive(ownIdentity())).toBe(true);
  const own = JSON.parse(ownIdentity()) as { pid: number; space: string; startedAt: string };
  expect(isProcessAlive(JSON.stringify({ ...own, startedAt: `${own.startedAt}0` }))).toBe(false);
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");
  expect(isProcessAlive(JSON.stringify({ ...own, pid: child.pid }))).toBe(false);
  expect(isProcessAlive(elsewhere())).toBeUndefined();
  expect(isProcessAlive("4711")).toBeUndefined();
  expect(isProcessAlive("")).toBeUndefined();
});

it("takes over a process that has ended at once: its segments and its write-ahead log", async () => {
  const own = JSON.parse(ownIdentity()) as object;
  leaveFolder("dead", JSON.stringify({ ...own, startedAt: "1" }));
  const relay = openRelay("relay");
  relay.state.isRedisDown = true;
  await relay.takeover.checkOnce();
  expect(await relay.lines()).toEqual(["spooled", "from the log"]);
  expect(readdirSync(root)).toEqual(["relay"]);
});

it("leaves a living process alone", async () => {
  const other = openRelay("other");
  other.spool.append("of the other");
  const relay = openRelay("relay");
  await relay.watch(60);
  expect(await relay.lines()).toEqual([]);
  expect(await other.lines()).toEqual(["of the other"]);
});

it("leaves a relay in another container alone while its heartbeat in Redis changes", async () => {
  leaveFolder("other", elsewhere());
  const relay = openRelay("relay");
  let beat = 0;
  await relay.watch(120, () => relay.state.beats.set("other", String(beat++)));
  expect(existsSync(join(root, "other"))).toBe(true);
  await relay.watch(25);
  expect(existsSync(join(root, "other"))).toBe(false);
  expect(await relay.lines()).toEqual(["spooled", "from the log"]);
});

it("treats no relay as dead while Redis is down, and waits again when it is back", async () => {
  leaveFolder("other", elsewhere());
  const relay = openRelay("relay");
  await relay.watch(15);
  relay.state.isRedisDown = true;
  await relay.watch(60);
  relay.state.isRedisDown = false;
  await relay.watch(15);
  expect(existsSync(join(root, "other"))).toBe(true);
  await relay.watch(10);
  expect(existsSync(join(root, "other"))).toBe(false);
});

it("takes over a relay whose owner file was never written, and no dead letters", async () => {
  leaveFolder("other", "");
  mkdirSync(join(root, "dead-letters"));
  writeFileSync(join(root, "dead-letters", "other.ndjson"), "letter\n");
  const relay = openRelay("relay");
  await relay.watch(25);
  expect(readdirSync(root).toSorted()).toEqual(["dead-letters", "relay"]);
  expect(await relay.lines()).toEqual(["spooled", "from the log"]);
});

it("lets one of several relays take a folder over, and takes over what that one had taken over before it died", async () => {
  leaveFolder("dead", elsewhere());
  const [first, second] = [openRelay("first"), openRelay("second")];
  await Promise.all([first.watch(25), second.watch(25)]);
  const both = [...(await first.lines()), ...(await second.lines())];
  expect(both).toEqual(["spooled", "from the log"]);
  // A relay that died in the middle of a takeover.
  leaveFolder("middle", elsewhere());
  mkdirSync(join(root, "middle", "taken-older"));
  writeFileSync(join(root, "middle", "taken-older", "000-000.ndjson"), "older\n");
  await first.watch(25);
  expect(await first.lines()).toEqual(["older", "spooled", "from the log"]);
});

describe("own folder that was taken over by mistake", () => {
  it("leaves its lines to the relay that took it, and drains what follows", async () => {
    const [relay, thief] = [openRelay("relay"), openRelay("thief")];
    relay.spool.append("before");
    thief.spool.takeOver("relay");
    relay.spool.append("after");
    expect(existsSync(join(root, "relay", "pid"))).toBe(true);
    expect([await relay.lines(), await thief.lines()]).toEqual([["after"], ["before"]]);
    expect([relay.spool.isEmpty(), relay.spool.bytes()]).toEqual([true, 0]);
  });

  it("is empty while the relay has written nothing since", async () => {
    const relay = openRelay("relay");
    relay.spool.append("before");
    openRelay("thief").spool.takeOver("relay");
    expect(await relay.lines()).toEqual([]);
    expect(relay.spool.isEmpty()).toBe(true);
  });

  it("loses no line when it is taken over twice", async () => {
    const [relay, thief] = [openRelay("relay"), openRelay("thief")];
    for (const line of ["first", "second"]) {
      relay.spool.append(line);
      thief.spool.takeOver("relay");
    }
    expect(await thief.lines()).toEqual(["first", "second"]);
  });
});
