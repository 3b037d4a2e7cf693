import { describe, expect, it } from "vitest";
import { createTurns } from "./turns.ts";

const gate = () => {
  const opened = Promise.withResolvers<void>();
  return { open: opened.resolve, job: () => opened.promise };
};

describe("turns", () => {
  it("never run two jobs of one key at once", async () => {
    const turns = createTurns({ atOnceMax: 4, waitingMax: 10 });
    let running = 0;
    let most = 0;
    const job = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
    };
    await Promise.all(Array.from({ length: 8 }, () => turns.run("alice", job)));
    expect(most).toBe(1);
  });

  it("let another key pass one that waits", async () => {
    const turns = createTurns({ atOnceMax: 2, waitingMax: 10 });
    const first = gate();
    const alice = turns.run("alice", first.job);
    const aliceAgain = turns.run("alice", () => Promise.resolve("again"));
    await expect(turns.run("bob", () => Promise.resolve("bob"))).resolves.toBe("bob");
    first.open();
    await alice;
    await expect(aliceAgain).resolves.toBe("again");
  });

  it("go on after a job that failed", async () => {
    const turns = createTurns({ atOnceMax: 1, waitingMax: 10 });
    await expect(turns.run("alice", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    await expect(turns.run("alice", () => Promise.resolve(1))).resolves.toBe(1);
  });

  it("refuse with unavailable when the line is full", async () => {
    const turns = createTurns({ atOnceMax: 1, waitingMax: 1 });
    const first = gate();
    const running = turns.run("a", first.job);
    const waiting = turns.run("b", () => Promise.resolve());
    await expect(turns.run("c", () => Promise.resolve())).rejects.toMatchObject({ code: "unavailable" });
    first.open();
    await Promise.all([running, waiting]);
  });
});
