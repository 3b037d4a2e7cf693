import { describe, expect, it } from "vitest";
import { createKeyedTurns } from "./keyed-turns.ts";

describe("steps in turn", () => {
  it("of one key run one after another, of several at once, and a failure holds nobody up", async () => {
    const inTurn = createKeyedTurns();
    const events: string[] = [];
    const ends = new Map<string, () => void>();
    const step = (name: string) => () => {
      events.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    };
    const failing = inTurn("a", () => Promise.reject(new Error("no")));
    const [first, second, other] = [inTurn("a", step("1")), inTurn("a", step("2")), inTurn("b", step("3"))];
    await expect(failing).rejects.toThrow("no");
    await expect.poll(() => events.toSorted()).toEqual(["1", "3"]);
    ends.get("1")?.();
    expect(await first).toBe("1");
    await expect.poll(() => events).toContain("2");
    ends.get("2")?.();
    ends.get("3")?.();
    expect(await Promise.all([second, other])).toEqual(["2", "3"]);
  });
});
