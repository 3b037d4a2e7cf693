import { expect, it } from "vitest";
import { readBillingConfig } from "./config.ts";

const env = {
  GRPC_PORT: "1",
  OPS_PORT: "2",
  INTERNAL_SECRET: "0123456789abcdef",
  NATS_URL: "nats://localhost",
  MONGODB_URL: "mongodb://localhost/billing",
  REDIS_URL: "redis://localhost",
  MASTER_KEY: "key",
  PRIVATE_ADDRESS_ALLOWLIST: "",
  AUTH_ADDRESS: "localhost:1",
  CHANNEL_ADDRESS: "localhost:2",
};
const getSeconds = (more: NodeJS.ProcessEnv): number => readBillingConfig({ ...env, ...more }).RECONCILIATION_SECONDS;

it("reads the reconciliation interval by its former name too, and prefers the new one", () => {
  expect(getSeconds({})).toBe(300);
  expect(getSeconds({ BOOKS_CHECK_SECONDS: "60" })).toBe(60);
  expect(getSeconds({ BOOKS_CHECK_SECONDS: "60", RECONCILIATION_SECONDS: "90" })).toBe(90);
});
