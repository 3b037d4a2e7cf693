import { AppError } from "@turnpike/shared/errors/app-error";
import { describe, expect, it, vi } from "vitest";
import type { Principal } from "../core/call/caller.ts";
import { directoryWith, token } from "./admission-fixtures.ts";
import { createAdmission } from "./admission.ts";
import type { ResolvedOidcToken } from "./caller-lookups.ts";

describe("tokens of trusted issuers", () => {
  const JWT = `eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.${"s".repeat(300)}`;
  const headersWith = (jwt: string) => [
    { authorization: `Bearer ${jwt}` },
    { "x-api-key": jwt },
    { "x-goog-api-key": jwt },
    { "api-key": jwt },
    { "mj-api-secret": jwt },
    { "sec-websocket-protocol": `realtime, openai-insecure-api-key.${jwt}` },
  ];
  function issuerWorld(over: { resolve?: () => Promise<ResolvedOidcToken>; principal?: Partial<Principal> } = {}) {
    const resolved = { token: token(), acceptedUntilMs: 1_600_000 };
    const resolve = vi.fn<(jwt: string) => Promise<ResolvedOidcToken>>(
      over.resolve ?? (() => Promise.resolve(resolved)),
    );
    const world = directoryWith({
      resolveOidcToken: resolve,
      ...(over.principal ? { principal: over.principal } : {}),
    });
    const admit = async (jwt = JWT, address = "10.0.0.1") =>
      world.admit({ authorization: `Bearer ${jwt}` }, "/v1/chat/completions", address);
    return { ...world, resolve, admit };
  }

  it("are accepted wherever a key is, and looked up once", async () => {
    const { resolve, resolveToken, ...world } = issuerWorld();
    const admission = createAdmission({ directory: world.directory, now: () => 1_000_000 });
    for (const headers of headersWith(JWT))
      expect(await admission(headers, "/v1/messages", "10.0.0.1")).toMatchObject({
        caller: { known: { token: { id: 7 } } },
        pinnedChannelId: undefined,
      });
    expect(resolve.mock.calls).toEqual([[JWT]]);
    expect(resolveToken).not.toHaveBeenCalled();
  });

  it("are unknown keys, without a lookup, while no issuer is trusted", async () => {
    const world = directoryWith();
    await expect(
      (async () => world.admit({ authorization: `Bearer ${JWT}` }, "/v1/models", "10.0.0.1"))(),
    ).rejects.toMatchObject({ code: "invalid_api_key", message: "the API key is not valid" });
  });

  it("are refused with the reason as wrong keys are, and limited per address", async () => {
    const world = issuerWorld({ resolve: () => Promise.resolve({ refusal: "its signature is wrong" }) });
    await expect(world.admit()).rejects.toMatchObject({
      code: "invalid_api_key",
      message: "the token is not accepted: its signature is wrong",
    });
    await expect(world.admit()).rejects.toThrow("its signature is wrong");
    expect(world.resolve).toHaveBeenCalledTimes(1);
    for (let index = 0; index < 200; index++) await world.admit(`${JWT}${index}`).catch(() => undefined);
    await expect(world.admit(`${JWT}x`)).rejects.toMatchObject({ code: "rate_limit_exceeded" });
    expect(world.resolve).toHaveBeenCalledTimes(100);
  });

  it("end with their own time, although the directory knows them", async () => {
    const world = issuerWorld();
    await world.admit();
    world.pass(599_999);
    await world.admit();
    world.pass(1);
    await expect(world.admit()).rejects.toThrow("it has expired");
  });

  it("are forgotten with their token, their user and a change of the issuers", async () => {
    const { directory, resolve, admit } = issuerWorld();
    const [first, second] = [JWT, `${JWT}2`];
    await Promise.all([admit(first), admit(second)]);
    for (const forget of [
      () => directory.forgetToken(7),
      () => directory.forgetUser(3),
      () => directory.forgetOidcTokens(),
    ]) {
      resolve.mockClear();
      forget();
      await Promise.all([admit(first), admit(second)]);
      expect(resolve).toHaveBeenCalledTimes(2);
    }
  });

  it("get what the mapped token and its owner get: a banned owner is refused", async () => {
    await expect(issuerWorld({ principal: { status: 2 } }).admit()).rejects.toMatchObject({ code: "user_banned" });
    const exhausted = { token: token({ status: 4 }), acceptedUntilMs: 1_600_000 };
    const world = issuerWorld({ resolve: () => Promise.resolve(exhausted) });
    await expect(world.admit()).rejects.toMatchObject({ code: "token_quota_exhausted" });
  });

  it("are 503 while they cannot be verified, and limited like refused ones", async () => {
    const world = issuerWorld({ resolve: () => Promise.reject(new AppError("unavailable", "down")) });
    await expect(world.admit()).rejects.toMatchObject({ code: "service_unavailable" });
    for (let index = 0; index < 200; index++) await world.admit(`${JWT}${index}`).catch(() => undefined);
    await expect(world.admit(`${JWT}x`)).rejects.toMatchObject({ code: "rate_limit_exceeded" });
    expect(world.resolve).toHaveBeenCalledTimes(100);
    await expect(world.admit(`${JWT}x`, "10.9.0.1")).rejects.toMatchObject({ code: "service_unavailable" });
  });

  it("leave room for lookups of keys while a slow issuer keeps them waiting", async () => {
    const world = issuerWorld({ resolve: () => new Promise(() => undefined) });
    for (let index = 0; index < 32; index++) void world.directory.find(`${JWT}${index}`, `10.1.0.${index}`);
    expect(world.directory.find(`${JWT}x`, "10.1.1.1")).toMatchObject({ code: "rate_limit_exceeded" });
    expect(world.resolve).toHaveBeenCalledTimes(32);
    expect(await world.directory.find("k".repeat(48), "10.1.1.1")).toMatchObject({ known: { token: { id: 7 } } });
  });

  it("stay accepted while auth is down, until their own end", async () => {
    let isDown = false;
    const resolved = { token: token(), acceptedUntilMs: 1_600_000 };
    const resolve = (): Promise<ResolvedOidcToken> =>
      isDown ? Promise.reject(new AppError("unavailable", "down")) : Promise.resolve(resolved);
    const world = issuerWorld({ resolve });
    await world.admit();
    isDown = true;
    world.pass(120_000);
    await world.admit();
    await world.admit();
    world.pass(480_000);
    await expect(world.admit()).rejects.toThrow("it has expired");
  });

  it("are refused at the next check when they no longer stand for a user", async () => {
    let resolved: ResolvedOidcToken = { token: token(), acceptedUntilMs: 1_600_000 };
    const world = issuerWorld({ resolve: () => Promise.resolve(resolved) });
    await world.admit();
    resolved = { refusal: "its issuer has no such key" };
    world.pass(60_001);
    await world.admit();
    await vi.waitFor(() => expect(world.admit()).rejects.toThrow("no such key"));
  });
});
