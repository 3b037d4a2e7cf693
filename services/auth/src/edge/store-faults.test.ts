import { AppError } from "@turnpike/shared/errors/app-error";
import type { CallContext } from "@turnpike/shared/grpc/context";
import { createLogger } from "@turnpike/shared/log/log";
import { mongo } from "mongoose";
import { describe, expect, it } from "vitest";
import { withStoreFaults } from "./store-faults.ts";

const context: CallContext = {
  requestId: "r",
  actor: undefined,
  log: createLogger("test", "silent"),
  signal: new AbortController().signal,
};
const failWith = (error: Error) =>
  withStoreFaults({ rpc: (_request: object, _context: CallContext) => Promise.reject(error) });

describe("an rpc whose database does not answer", () => {
  it.each([
    ["a lost connection", new mongo.MongoNetworkError("gone")],
    ["a query past its time limit", new mongo.MongoServerError({ message: "too long", code: 50 })],
    ["no primary", new mongo.MongoServerError({ message: "not primary", code: 10_107 })],
  ])("answers unavailable for %s", async (_name, error) => {
    await expect(failWith(error).rpc({}, context)).rejects.toMatchObject({ code: "unavailable" });
  });

  it.each([
    ["an expected failure", new AppError("user_not_found", "nobody")],
    ["a bug", new TypeError("undefined is not a function")],
    ["a refused write", new mongo.MongoServerError({ message: "bad field", code: 2 })],
  ])("leaves %s as it is", async (_name, error) => {
    await expect(failWith(error).rpc({}, context)).rejects.toBe(error);
  });
});
