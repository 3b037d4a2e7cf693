import { describe, expect, it } from "vitest";
import { readConfig } from "./config.ts";

const ENVIRONMENT = {
  OPS_PORT: "9100",
  INTERNAL_SECRET: "at least 16 characters",
  NATS_URL: "nats://127.0.0.1:4222",
  AUTH_ADDRESS: "auth:7001",
  BILLING_ADDRESS: "billing:7002",
  CHANNEL_ADDRESS: "channel:7003",
  MESSAGING_ADDRESS: "messaging:7004",
  RELAY_HTTP_ADDRESS: "http://relay:3001/",
};

describe("gateway settings", () => {
  it("has defaults for everything except addresses and secrets, and needs no gRPC port", () => {
    expect(readConfig(ENVIRONMENT)).toMatchObject({
      PORT: 3000,
      RELAY_HTTP_ADDRESS: "relay:3001",
      TRUSTED_PROXIES: [],
      GLOBAL_API_RATE_LIMIT: 600,
      GLOBAL_API_RATE_LIMIT_DURATION: 180,
      GLOBAL_API_RATE_LIMIT_ENABLE: true,
    });
  });
  it("reads trusted proxies as addresses and CIDRs", () => {
    const { TRUSTED_PROXIES } = readConfig({ ...ENVIRONMENT, TRUSTED_PROXIES: "10.0.0.0/8, 192.0.2.1,2001:db8::/32" });
    expect(TRUSTED_PROXIES.map(({ prefixLength }) => prefixLength)).toEqual([8, 32, 32]);
  });
  it("lists every invalid setting in one error", () => {
    const read = () => readConfig({ ...ENVIRONMENT, TRUSTED_PROXIES: "10.0.0.0/8,nonsense", AUTH_ADDRESS: "auth" });
    expect(read).toThrow(/AUTH_ADDRESS[\s\S]*TRUSTED_PROXIES/);
  });
});
