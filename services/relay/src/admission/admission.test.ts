import { describe, expect, it, vi } from "vitest";
import { AppError } from "@turnpike/shared/errors/app-error";
import { directoryWith, KEY, token } from "./admission-fixtures.ts";
import { createAddressList } from "./allow-list.ts";
import type { RelayError } from "../core/errors/relay-error.ts";
import { readCredentials } from "./credentials.ts";

const admitOnce = async (over: Parameters<typeof directoryWith>[0], key = KEY, address = "10.0.0.1") =>
  directoryWith(over).admit({ authorization: `Bearer sk-${key}` }, "/v1/chat/completions", address);

/** A key of the form that this gateway makes. */
const own = (name: string): string => name.padEnd(48, "0");

describe("credentials", () => {
  it.each([
    [{ authorization: `Bearer sk-${own("abc")}` }, "/v1/chat/completions", own("abc"), undefined],
    [{ authorization: own("abc") }, "/v1/chat/completions", own("abc"), undefined],
    [{ authorization: `bearer ${own("abc")}-12` }, "/v1/chat/completions", own("abc"), "12"],
    [
      { "x-api-key": `sk-${own("xyz")}`, authorization: `Bearer sk-${own("abc")}` },
      "/v1/messages",
      own("xyz"),
      undefined,
    ],
    [
      { "x-api-key": `sk-${own("xyz")}`, authorization: `Bearer sk-${own("abc")}` },
      "/v1/chat/completions",
      own("abc"),
      undefined,
    ],
    [
      { "x-goog-api-key": `sk-${own("goog")}`, authorization: `Bearer sk-${own("abc")}` },
      "/v1beta/models/m:generateContent",
      own("goog"),
      undefined,
    ],
    [
      { "x-goog-api-key": `sk-${own("goog")}`, authorization: `Bearer sk-${own("abc")}` },
      "/v1/chat/completions",
      own("abc"),
      undefined,
    ],
    [{ "api-key": own("azure") }, "/v1/realtime", own("azure"), undefined],
    [{ "x-api-key": own("xyz"), authorization: "Bearer " }, "/v1/chat/completions", own("xyz"), undefined],
    [
      { "mj-api-secret": `Bearer sk-${own("mj")}-3`, authorization: "midjourney-proxy" },
      "/v1/chat/completions",
      own("mj"),
      "3",
    ],
    [
      { "mj-api-secret": own("mj"), authorization: "Bearer midjourney-proxy" },
      "/mj/submit/imagine",
      own("mj"),
      undefined,
    ],
    [
      { "mj-api-secret": own("mj"), authorization: `Bearer sk-${own("abc")}` },
      "/mj/submit/imagine",
      own("abc"),
      undefined,
    ],
    [
      { "sec-websocket-protocol": `realtime, openai-insecure-api-key.sk-${own("ws")}, openai-beta.realtime-v1` },
      "/v1/realtime",
      own("ws"),
      undefined,
    ],
    [{ authorization: "Bearer sk-4Xk_9vQ-2mB7Zt0a" }, "/v1/chat/completions", "sk-4Xk_9vQ-2mB7Zt0a", undefined],
  ])("reads the key from %o", (headers, path, key, pinnedChannel) => {
    expect(readCredentials(headers, path)).toEqual({ key, pinnedChannel });
  });

  it("returns undefined for empty headers", () => {
    expect(readCredentials({ authorization: "Bearer " }, "/v1/models")).toBeUndefined();
  });
});

describe("IP allow list", () => {
  it.each([
    ["10.1.2.3", true],
    ["::ffff:10.1.2.3", true],
    ["10.2.0.1", false],
    ["192.168.0.9", true],
    ["2001:db8::1", true],
    ["2001:db9::1", false],
    ["nonsense", false],
  ])("%s: %s", (address, expected) => {
    expect(createAddressList(["10.1.0.0/16", "192.168.0.9", "2001:db8::/32", "rubbish"])(address)).toBe(expected);
  });
});

describe("unknown-key limiter", () => {
  it("bounds the lookups caused by unknown keys without affecting known keys or other addresses", async () => {
    const world = directoryWith({
      resolveToken: (key) =>
        key === KEY ? Promise.resolve(token()) : Promise.reject(new AppError("token_not_found", "no")),
    });
    const admit = async (key: string, address: string) =>
      world.admit({ authorization: `Bearer sk-${key}` }, "/v1/chat/completions", address);
    await admit(KEY, "10.0.0.1");
    const codes = new Set<string>();
    for (let index = 0; index < 1_000; index++)
      await admit(String(index).padStart(48, "x"), "10.0.0.1").catch((error: { code: string }) =>
        codes.add(error.code),
      );
    expect([...codes]).toEqual(["invalid_api_key", "rate_limit_exceeded"]);
    expect(world.resolveToken.mock.calls.length).toBe(101);
    expect((await admit(KEY, "10.0.0.1")).caller.known.token.id).toBe(7);
    await expect(admit("y".repeat(48), "10.0.0.2")).rejects.toMatchObject({ code: "invalid_api_key" });
    world.pass(10_000);
    await expect(admit("z".repeat(48), "10.0.0.1")).rejects.toMatchObject({ code: "invalid_api_key" });
  });

  const unknownUntil = () => {
    const released = Promise.withResolvers<void>();
    const world = directoryWith({
      resolveToken: (key) =>
        key === KEY
          ? Promise.resolve(token())
          : released.promise.then(() => Promise.reject(new AppError("token_not_found", "no"))),
    });
    const admit = async (key: string, address: string) =>
      world.admit({ authorization: `Bearer sk-${key}` }, "/v1/chat/completions", address);
    return { ...world, admit, release: released.resolve };
  };

  it("refuses simultaneous unknown keys with 429 and Retry-After, never with 503", async () => {
    const world = unknownUntil();
    const keys = Array.from({ length: 500 }, (_, index) => String(index).padStart(48, "x"));
    const outcomes = keys.map((key, index) =>
      world.admit(key, `10.0.${index % 250}.1`).catch((error: RelayError) => error),
    );
    world.release();
    const errors = (await Promise.all(outcomes)) as RelayError[];
    expect(new Set(errors.map(({ status }) => status))).toEqual(new Set([401, 429]));
    for (const { status, retryAfterSeconds } of errors) expect(retryAfterSeconds !== undefined).toBe(status === 429);
    expect(world.resolveToken.mock.calls.length).toBeLessThanOrEqual(100);
  });

  it("refuses keys whose lookups fail in a flood with 429 and Retry-After, and with 503 without one", async () => {
    const failed = Promise.withResolvers<never>();
    const world = directoryWith({ resolveToken: () => failed.promise });
    const send = async (index: number): Promise<unknown> =>
      world.admit({ authorization: `Bearer sk-${String(index).padStart(48, "x")}` }, "/v1/models", `10.0.${index}.1`);
    const flood = Array.from({ length: 30 }, (_, index) => send(index).catch((error: RelayError) => error));
    failed.reject(new AppError("unavailable", "no response"));
    for (const error of (await Promise.all(flood)) as RelayError[])
      expect([error.status, error.retryAfterSeconds]).toEqual([429, 2]);
    world.pass(10_000);
    await expect(send(100)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 2 });
  });

  it("admits all simultaneous calls with one key that is not in memory", async () => {
    const world = unknownUntil();
    const calls = await Promise.all(Array.from({ length: 300 }, () => world.admit(KEY, "10.0.0.1")));
    expect(calls).toHaveLength(300);
    expect(world.resolveToken).toHaveBeenCalledTimes(1);
  });

  it("refreshes a known key while as many unknown ones are looked up as may be", async () => {
    const world = unknownUntil();
    await world.admit(KEY, "10.9.9.9");
    world.pass(120_000);
    const flood = Array.from({ length: 200 }, (_, index) =>
      world.admit(String(index).padStart(48, "x"), `10.1.${index}.1`),
    );
    for (const each of flood) each.catch(() => undefined);
    const before = world.resolveToken.mock.calls.filter(([key]) => key === KEY).length;
    expect((await world.admit(KEY, "10.9.9.9")).caller.known.token.id).toBe(7);
    await vi.waitFor(() =>
      expect(world.resolveToken.mock.calls.filter(([key]) => key === KEY).length).toBe(before + 1),
    );
    world.release();
    await Promise.allSettled(flood);
  });

  it("keeps callers in memory, however many unknown keys are sent", async () => {
    const world = unknownUntil();
    world.release();
    await world.admit(KEY, "10.9.9.9");
    for (let index = 0; index < 60_000; index++) {
      const address = `10.${index % 250}.${Math.floor(index / 250) % 250}.1`;
      await world.admit(String(index).padStart(48, "x"), address).catch(() => undefined);
    }
    const lookups = world.resolveToken.mock.calls.length;
    expect((await world.admit(KEY, "10.9.9.9")).caller.known.token.id).toBe(7);
    expect(world.resolveToken.mock.calls.length).toBe(lookups);
    // Sixty thousand keys take seconds, on a busy machine many.
  }, 60_000);

  it("delays refusals of an address that sends many wrong keys, of any form, and no others", async () => {
    const world = directoryWith();
    const admit = async (key: string, address: string) =>
      world.admit({ authorization: `Bearer ${key}` }, "/v1/chat/completions", address);
    for (let index = 0; index < 99; index++) await expect(admit("short", "10.0.0.1")).rejects.toThrow("not valid");
    expect(world.delay).not.toHaveBeenCalled();
    for (let index = 0; index < 5; index++) await expect(admit("short", "10.0.0.1")).rejects.toThrow("not valid");
    expect(world.delay).toHaveBeenCalledTimes(5);
    await admit(KEY, "10.0.0.1");
    await expect(admit("short", "10.0.0.2")).rejects.toThrow("not valid");
    expect(world.delay).toHaveBeenCalledTimes(5);
    world.pass(10_000);
    await expect(admit("short", "10.0.0.1")).rejects.toThrow("not valid");
    expect(world.delay).toHaveBeenCalledTimes(5);
  });

  it("looks up nothing for text that cannot be a key", async () => {
    const world = directoryWith();
    for (const key of ["short", "x".repeat(47), `${"x".repeat(47)}!`])
      await expect(async () => world.admit({ authorization: `Bearer ${key}` }, "/v1", "10.0.0.1")).rejects.toThrow(
        "not valid",
      );
    expect(world.resolveToken).not.toHaveBeenCalled();
  });
});

describe("admission", () => {
  it.each([
    [{ token: { status: 2 } }, "token_disabled"],
    [{ token: { status: 3 } }, "token_expired"],
    [{ token: { status: 4 } }, "token_quota_exhausted"],
    [{ token: { expiredTime: 999 } }, "token_expired"],
    [{ token: { allowIps: "10.9.9.9" } }, "ip_not_allowed"],
    [{ principal: { status: 2 } }, "user_banned"],
    [{ resolveToken: () => Promise.reject(new AppError("token_not_found", "no")) }, "invalid_api_key"],
    [{ resolveToken: () => Promise.reject(new AppError("unavailable", "away")) }, "service_unavailable"],
  ])("refuses %o with %s", async (over, code) => {
    await expect(admitOnce(over)).rejects.toMatchObject({ code });
  });

  it("lets only administrators pin a channel", async () => {
    await expect(admitOnce({}, `${KEY}-5`)).rejects.toMatchObject({ code: "channel_pin_not_allowed" });
    await expect(admitOnce({ principal: { role: 10 } }, `${KEY}-5`)).resolves.toMatchObject({ pinnedChannelId: 5 });
  });

  it("refuses text that cannot be a key without a lookup", () => {
    const { admit, resolveToken } = directoryWith();
    expect(() => admit({ authorization: "Bearer sk-short" }, "/v1/models", "10.0.0.1")).toThrow(
      expect.objectContaining({ code: "invalid_api_key" }),
    );
    expect(resolveToken).not.toHaveBeenCalled();
  });
});

describe("caller directory", () => {
  it("looks up a key that another gateway made as it was sent", async () => {
    const { admit, resolveToken } = directoryWith();
    await admit({ "x-api-key": "sk-4Xk_9vQ-2mB7Zt0a" }, "/v1/messages", "10.0.0.1");
    expect(resolveToken.mock.calls).toEqual([["sk-4Xk_9vQ-2mB7Zt0a"]]);
  });

  it("looks up a key once, then serves it from memory until a change is reported", async () => {
    const { directory, resolveToken } = directoryWith();
    await Promise.all([directory.find(KEY), directory.find(KEY)]);
    expect(directory.find(KEY)).toMatchObject({ known: { token: { id: 7 } } });
    expect(resolveToken).toHaveBeenCalledTimes(1);
    directory.forgetToken(7);
    await directory.find(KEY);
    directory.forgetUser(3);
    await directory.find(KEY);
    expect(resolveToken).toHaveBeenCalledTimes(3);
  });

  it("serves a stale copy while billing is down", async () => {
    const { directory, resolveToken, pass } = directoryWith();
    await directory.find(KEY);
    resolveToken.mockRejectedValue(new AppError("unavailable", "away"));
    pass(120_000);
    expect(directory.find(KEY)).toMatchObject({ known: { token: { id: 7 } } });
    await vi.waitFor(() => expect(resolveToken).toHaveBeenCalledTimes(2));
    expect(directory.find(KEY)).toMatchObject({ known: { token: { id: 7 } } });
  });

  it("caches an unknown key for a few seconds", async () => {
    const { directory, resolveToken, pass } = directoryWith({
      resolveToken: () => Promise.reject(new AppError("token_not_found", "no")),
    });
    await directory.find(KEY);
    expect(directory.find(KEY)).toBeUndefined();
    pass(6_000);
    await directory.find(KEY);
    expect(resolveToken).toHaveBeenCalledTimes(2);
  });
});
