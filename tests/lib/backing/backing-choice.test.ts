import { describe, expect, it } from "vitest";
import { chooseBacking, type FindEngine, type LoadFindEngine } from "./backing-choice.ts";

const loaded =
  (findEngine: FindEngine): LoadFindEngine =>
  () =>
    Promise.resolve(findEngine);
const answering = loaded(() => Promise.resolve("engine 1.2.3"));
const absent = loaded(() => Promise.reject(new Error("no socket")));
const silent = loaded(() => new Promise(() => undefined));
const forbidden: LoadFindEngine = () => Promise.reject(new Error("nobody may search"));

describe("the choice of backing services for tests", () => {
  it("takes containers where an engine answers", async () => {
    expect(await chooseBacking({}, answering)).toEqual({
      kind: "containers",
      isDetected: true,
      reason: "engine 1.2.3",
    });
  });

  it.each([
    ["is absent", absent],
    ["does not answer in time", silent],
  ])("takes local servers where the engine %s", async (_, loadFindEngine) => {
    expect(await chooseBacking({ TEST_BACKING: "" }, loadFindEngine, 20)).toMatchObject({ kind: "local" });
  });

  it.each(["containers", "local"] as const)("takes %s without a search when TEST_BACKING says so", async (kind) => {
    expect(await chooseBacking({ TEST_BACKING: kind }, forbidden)).toMatchObject({ kind, isDetected: false });
  });

  it("refuses another value of TEST_BACKING and names the two that are allowed", async () => {
    await expect(chooseBacking({ TEST_BACKING: "docker" }, answering)).rejects.toThrow(
      'TEST_BACKING is "docker": set it to "containers" or "local"',
    );
  });
});
