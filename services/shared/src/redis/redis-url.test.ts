import { describe, expect, it } from "vitest";
import { readRedisUrl } from "./redis-url.ts";

describe("REDIS_URL", () => {
  it.each(["redis://localhost", "rediss://user:secret@redis.example:6380/2"])("names one server: %s", (url) => {
    expect(readRedisUrl(url)).toEqual({ kind: "server", url });
  });

  it("names sentinels with the primary's name, database and both logins", () => {
    const url =
      "redis+sentinel://app:p%40ss@s1:26379,s2,[::1]:26381/main/3?sentinel_username=watch&sentinel_password=x";
    expect(readRedisUrl(url)).toEqual({
      kind: "sentinel",
      sentinels: [
        { host: "s1", port: 26_379 },
        { host: "s2", port: 26_379 },
        { host: "::1", port: 26_381 },
      ],
      name: "main",
      database: 3,
      login: { username: "app", password: "p@ss" },
      sentinelLogin: { username: "watch", password: "x" },
      isTls: false,
    });
  });

  it("names the nodes of a cluster, with TLS and a password alone", () => {
    expect(readRedisUrl("rediss+cluster://:secret@a:7000,b:7001")).toEqual({
      kind: "cluster",
      nodes: [
        { host: "a", port: 7_000 },
        { host: "b", port: 7_001 },
      ],
      login: { password: "secret" },
      isTls: true,
    });
  });

  it.each(["http://a", "redis+sentinel://a:1", "redis+cluster://a:b:c"])("refuses %s", (url) => {
    expect(() => readRedisUrl(url)).toThrow("REDIS_URL");
  });
});
