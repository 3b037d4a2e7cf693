import { describe, expect, it } from "vitest";
import { readAuthConfig } from "./config.ts";

const ENV = {
  GRPC_PORT: "7001",
  OPS_PORT: "7101",
  INTERNAL_SECRET: "sixteen letters!",
  NATS_URL: "nats://127.0.0.1:4222",
  MONGODB_URL: "mongodb://127.0.0.1/turnpike",
  REDIS_URL: "redis://127.0.0.1",
  MASTER_KEY: "sixteen letters!",
  BILLING_ADDRESS: "127.0.0.1:7002",
  MESSAGING_ADDRESS: "127.0.0.1:7003",
};
const ROOT = { ROOT_USERNAME: "root", ROOT_PASSWORD: "a good password" };

describe("the environment", () => {
  it("needs no root user and treats empty values as unset", () => {
    expect(readAuthConfig({ ...ENV, ROOT_USERNAME: "", ROOT_PASSWORD: "" })).toMatchObject({ GRPC_PORT: 7001 });
    expect(readAuthConfig({ ...ENV, ...ROOT })).toMatchObject(ROOT);
  });

  it("reports everything that is invalid at once, without the values", () => {
    const env = { ...ENV, BILLING_ADDRESS: "nowhere", ...ROOT, ROOT_PASSWORD: "hunter2" };
    expect(() => readAuthConfig(env)).toThrow(/BILLING_ADDRESS[^]*ROOT_PASSWORD/);
    expect(() => readAuthConfig(env)).not.toThrow(/hunter2|nowhere/);
  });

  it("refuses a root user without a password", () => {
    expect(() => readAuthConfig({ ...ENV, ROOT_USERNAME: "root" })).toThrow(/must be set together/);
  });
});
