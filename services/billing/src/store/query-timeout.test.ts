import { mongo } from "mongoose";
import { expect, it } from "vitest";
import { withQueryTimeout } from "./query-timeout.ts";

const failing = (code: number) => () => Promise.reject(new mongo.MongoServerError({ message: "no", code }));

it("a query whose time is up tells people to look for less", async () => {
  await expect(withQueryTimeout(failing(50))).rejects.toMatchObject({ code: "log_search_too_long" });
});

it("any other failure stays what it is", async () => {
  await expect(withQueryTimeout(failing(11_600))).rejects.toMatchObject({ code: 11_600 });
  expect(await withQueryTimeout(() => Promise.resolve(7))).toBe(7);
});
