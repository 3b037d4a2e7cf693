import { AppError } from "../errors/app-error.ts";
import type { CallContext } from "../grpc/context.ts";
import { createLogger } from "../log/log.ts";
import { mongo } from "mongoose";
import { describe, expect, it } from "vitest";
import { withStoreErrors } from "./mongo-errors.ts";

const context: CallContext = {
  requestId: "r",
  actor: undefined,
  log: createLogger("test", "silent"),
  signal: new AbortController().signal,
};
const failWith = (error: Error) =>
  withStoreErrors({ rpc: (_request: object, _context: CallContext) => Promise.reject(error) });

const transient = new mongo.MongoServerError({
  message: "aborted",
  code: 999,
  errorLabels: ["TransientTransactionError"],
});

describe("RPC with an unavailable database", () => {
  it.each([
    ["a lost connection", new mongo.MongoNetworkError("gone")],
    ["a query past its time limit", new mongo.MongoServerError({ message: "too long", code: 50 })],
    [
      "a write without a majority in time",
      new mongo.MongoServerError({ message: "waiting for replication", code: 64 }),
    ],
    ["a transaction that lost its server", transient],
    ["a connection that was closed", new mongo.MongoTopologyClosedError("closed")],
    ["no primary", new mongo.MongoServerError({ message: "not primary", code: 10_107 })],
  ])("returns unavailable for %s", async (_name, error) => {
    await expect(failWith(error).rpc({}, context)).rejects.toMatchObject({ code: "unavailable" });
  });

  it.each([
    ["an expected failure", new AppError("user_not_found", "nobody")],
    ["a bug", new TypeError("undefined is not a function")],
    ["a refused write", new mongo.MongoServerError({ message: "bad field", code: 2 })],
  ])("rethrows %s unchanged", async (_name, error) => {
    await expect(failWith(error).rpc({}, context)).rejects.toBe(error);
  });
});
