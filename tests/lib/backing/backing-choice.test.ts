import { describe, expect, it } from "vitest";
import { chooseBacking, type FindEngine, type LoadFindEngine } from "./backing-choice.ts";

const loaded =
  (findEngine: FindEngine): LoadFindEngine =>
  () =>
    Promise.resolve(findEngine);
const responding = loaded(() => Promise.resolve("engine 1.2.3"));
const absent = loaded(() => Promise.reject(new Error("no socket")));
const silent = loaded(() => new Promise(() => undefined));
const forbidden: LoadFindEngine = () => Promise.reject(new Error("the search must not run"));

describe("choice of backing services", () => {
  it("uses containers if a container engine responds", async () => {
    expect(await chooseBacking({}, responding)).toEqual({
      kind: "containers",
      isDetected: true,
      reason: "engine 1.2.3",
    });
  });

  it.each([
    ["is absent", absent],
    ["does not respond in time", silent],
  ])("uses local servers if the engine %s", async (_, loadFindEngine) => {
    expect(await chooseBacking({ TEST_BACKING: "" }, loadFindEngine, 20)).toMatchObject({ kind: "local" });
  });

  it.each(["containers", "local"] as const)("uses %s without a search if TEST_BACKING names it", async (kind) => {
    expect(await chooseBacking({ TEST_BACKING: kind }, forbidden)).toMatchObject({ kind, isDetected: false });
  });

  it("refuses another value of TEST_BACKING and names the two allowed values", async () => {
    await expect(chooseBacking({ TEST_BACKING: "docker" }, responding)).rejects.toThrow(
      'TEST_BACKING is "docker": set it to "containers" or "local"',
    );
  });
});
