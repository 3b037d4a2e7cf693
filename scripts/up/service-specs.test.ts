import { describe, expect, it } from "vitest";
import { planServices, type SystemOptions } from "./service-specs.ts";

const options: SystemOptions = {
  root: "/srv/turnpike",
  host: "0.0.0.0",
  port: 3000,
  relayPort: 3001,
  relayWorkers: 3,
  dataFolder: "/srv/data",
  logLevel: "info",
  masterKey: "key",
  internalSecret: "secret",
  mongodbUrl: "mongodb://m/turnpike",
  redisUrl: "redis://r",
  natsUrl: "nats://n",
  namespace: "",
  env: { ROOT_USERNAME: "root", ROOT_PASSWORD: "password" },
};

describe("process plan", () => {
  it("gives each process its own ports and the addresses of the others", async () => {
    const specs = await planServices(options);
    expect(specs.map(({ name }) => name)).toEqual([
      "auth",
      "billing",
      "channel",
      "messaging",
      "relay",
      "relay-1",
      "relay-2",
      "gateway",
    ]);
    expect(new Set(specs.flatMap(({ grpcPort, opsPort }) => [grpcPort, opsPort])).size).toBe(16);
    const billing = specs.find(({ name }) => name === "billing");
    for (const { env } of specs) expect(env["BILLING_ADDRESS"]).toBe(`127.0.0.1:${billing?.grpcPort}`);
  });

  it("lets relay workers share one public port with distinct names", async () => {
    const relays = (await planServices(options)).filter(({ service }) => service === "relay");
    expect(relays.map(({ env }) => [env["RELAY_PORT"], env["WORKER_INDEX"]])).toEqual([
      ["3001", "0"],
      ["3001", "1"],
      ["3001", "2"],
    ]);
  });

  it("passes the root password to auth only and exposes only the edge to the network", async () => {
    for (const { service, env } of await planServices(options)) {
      expect(env["ROOT_PASSWORD"]).toBe(service === "auth" ? "password" : undefined);
      expect(env["HOST"]).toBe(service === "relay" || service === "gateway" ? "0.0.0.0" : "127.0.0.1");
    }
  });
});
