import { expect, it } from "vitest";
import { runForEach } from "./bulk.ts";

it("continues after a failure and returns the items that succeeded, with the first error", async () => {
  const result = await runForEach([1, 2, 3, 4], async (item) => {
    if (item % 2 === 0) throw new Error(`no ${item}`);
  });
  expect(result.succeeded).toEqual([1, 3]);
  expect(result.firstError).toEqual(new Error("no 2"));
});
