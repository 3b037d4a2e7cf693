import { mongo } from "mongoose";
import { expect, it } from "vitest";
import { withQueryTimeout } from "./query-timeout.ts";

const failing = (code: number) => () => Promise.reject(new mongo.MongoServerError({ message: "no", code }));

it("a query that exceeds its time limit asks the user to narrow the search", async () => {
  await expect(withQueryTimeout(failing(50))).rejects.toMatchObject({ code: "log_search_too_long" });
});

it("any other failure is rethrown unchanged", async () => {
  await expect(withQueryTimeout(failing(11_600))).rejects.toMatchObject({ code: 11_600 });
  expect(await withQueryTimeout(() => Promise.resolve(7))).toBe(7);
});
