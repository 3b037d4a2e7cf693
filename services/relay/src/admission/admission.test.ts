import { describe, expect, it, vi } from "vitest";
import { AppError } from "@turnpike/shared/errors/app-error";
import { createLogger } from "@turnpike/shared/log/log";
import type { Token } from "@turnpike/proto/billing/v1/token_service";
import { createAdmission } from "./admission.ts";
import { createAddressList } from "./allow-list.ts";
import { createCallerDirectory } from "./caller-directory.ts";
import type { Principal } from "../core/call/caller.ts";
import { readCredentials } from "./credentials.ts";

const KEY = "k".repeat(48);
const token = (over: Partial<Token> = {}): Token => ({
  id: 7,
  userId: 3,
  key: "",
  name: "t",
  status: 1,
  createdTime: 0,
  accessedTime: 0,
  expiredTime: -1,
  remainQuota: 100,
  unlimitedQuota: false,
  usedQuota: 0,
  modelLimitsEnabled: false,
  modelLimits: "",
  allowIps: "",
  group: "",
  rateLimitEnabled: false,
  rateLimitPeriod: 60,
  rateLimitCount: 0,
  rateLimitSuccess: 0,
  budgetPeriod: "",
  periodQuota: 0,
  budgetResetsAt: 0,
  tokensPerMinute: 0,
  concurrentCalls: 0,
  ...over,
});
const principal = (over: Partial<Principal> = {}): Principal => ({
  userId: 3,
  username: "ann",
  group: "default",
  role: 1,
  status: 1,
  acceptUnsetModelRatioModel: false,
  showIpInLogs: false,
  quotaWarningThreshold: 0,
  ...over,
});

function directoryWith(
  over: { token?: Partial<Token>; principal?: Partial<Principal>; resolveToken?: (key: string) => Promise<Token> } = {},
) {
  let nowMs = 1_000_000;
  const resolveToken = vi.fn<(key: string) => Promise<Token>>(
    over.resolveToken ?? (() => Promise.resolve(token(over.token))),
  );
  const directory = createCallerDirectory({
    resolveToken,
    getPrincipal: () => Promise.resolve(principal(over.principal)),
    now: () => nowMs,
    log: createLogger("test", "silent"),
  });
  return {
    directory,
    resolveToken,
    admit: createAdmission({ directory, now: () => nowMs }),
    pass: (ms: number) => (nowMs += ms),
  };
}
const admitOnce = async (over: Parameters<typeof directoryWith>[0], key = KEY, address = "10.0.0.1") =>
  directoryWith(over).admit({ authorization: `Bearer sk-${key}` }, "/v1/chat/completions", address);

describe("credentials", () => {
  it.each([
    [{ authorization: "Bearer sk-abc" }, "/v1/chat/completions", "abc", undefined],
    [{ authorization: "abc" }, "/v1/chat/completions", "abc", undefined],
    [{ authorization: "bearer abc-12" }, "/v1/chat/completions", "abc", "12"],
    [{ "x-api-key": "sk-xyz", authorization: "Bearer sk-abc" }, "/v1/messages", "xyz", undefined],
    [{ "x-api-key": "sk-xyz", authorization: "Bearer sk-abc" }, "/v1/chat/completions", "abc", undefined],
    [
      { "x-goog-api-key": "sk-goog", authorization: "Bearer sk-abc" },
      "/v1beta/models/m:generateContent",
      "goog",
      undefined,
    ],
    [{ "x-goog-api-key": "sk-goog", authorization: "Bearer sk-abc" }, "/v1/chat/completions", "abc", undefined],
    [{ "api-key": "azure" }, "/v1/realtime", "azure", undefined],
    [{ "x-api-key": "xyz", authorization: "Bearer " }, "/v1/chat/completions", "xyz", undefined],
    [{ "mj-api-secret": "Bearer sk-mj-3", authorization: "midjourney-proxy" }, "/v1/chat/completions", "mj", "3"],
    [{ "mj-api-secret": "mj", authorization: "Bearer midjourney-proxy" }, "/mj/submit/imagine", "mj", undefined],
    [{ "mj-api-secret": "mj", authorization: "Bearer sk-abc" }, "/mj/submit/imagine", "abc", undefined],
    [
      { "sec-websocket-protocol": "realtime, openai-insecure-api-key.sk-ws, openai-beta.realtime-v1" },
      "/v1/realtime",
      "ws",
      undefined,
    ],
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
    expect([...codes]).toEqual(["invalid_api_key", "service_unavailable"]);
    expect(world.resolveToken.mock.calls.length).toBe(101);
    expect((await admit(KEY, "10.0.0.1")).caller.known.token.id).toBe(7);
    await expect(admit("y".repeat(48), "10.0.0.2")).rejects.toMatchObject({ code: "invalid_api_key" });
    world.pass(10_000);
    await expect(admit("z".repeat(48), "10.0.0.1")).rejects.toMatchObject({ code: "invalid_api_key" });
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
  it("looks up a key once, then answers from memory until a change is reported", async () => {
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
