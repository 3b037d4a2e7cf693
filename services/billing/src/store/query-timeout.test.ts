import { mongo } from "mongoose";
import { expect, it } from "vitest";
import { withQueryTimeout } from "./query-timeout.ts";

const failing = (code: number) => () => Promise.reject(new mongo.MongoServerError({ message: "no", code }));

it("suggests a narrower search when a query exceeds its time limit", async () => {
  await expect(withQueryTimeout(failing(50))).rejects.toMatchObject({ code: "log_search_too_long" });
});

it("rethrows any other failure unchanged", async () => {
  await expect(withQueryTimeout(failing(11_600))).rejects.toMatchObject({ code: 11_600 });
  expect(await withQueryTimeout(() => Promise.resolve(7))).toBe(7);
});
