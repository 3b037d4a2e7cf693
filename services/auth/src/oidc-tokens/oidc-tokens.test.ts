import { createHmac, generateKeyPairSync, sign as signBytes } from "node:crypto";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { OidcTokenIssuer } from "@turnpike/contract/options/oidc-token-issuers";
import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import { AppError } from "@turnpike/shared/errors/app-error";
import { createLogger } from "@turnpike/shared/log/log";
import type { UserDoc } from "../users/user-model.ts";
import { type FetchKeySet } from "./issuer-documents.ts";
import { createOidcTokens } from "./oidc-tokens.ts";

const NOW_MS = 1_800_000_000_000;
const NOW = NOW_MS / 1_000;
const ISSUER: OidcTokenIssuer = {
  issuer: "https://id.example.com",
  audiences: ["turnpike", "api"],
  rules: [
    { claims: { sub: "ci" }, user: "shop", token: "builder" },
    { claims: { groups: "staff" }, user_claim: "preferred_username", token: "oidc" },
  ],
};
const CLAIMS: JWTPayload = { iss: ISSUER.issuer, aud: "turnpike", sub: "ci", iat: NOW, exp: NOW + 600 };

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;
let first: Pair;
let second: Pair;
beforeAll(async () => {
  [first, second] = await Promise.all([generateKeyPair("ES256"), generateKeyPair("ES256")]);
});

const toJwk = async ({ publicKey }: Pair, kid: string) => ({ ...(await exportJWK(publicKey)), kid, alg: "ES256" });
const sign = ({ privateKey }: Pair, kid: string, claims: JWTPayload = CLAIMS): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid }).sign(privateKey);
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

function createWorld({ issuers = [ISSUER], isUserDeleted = false } = {}) {
  let nowMs = NOW_MS;
  let configured: readonly OidcTokenIssuer[] = issuers;
  const fetchKeySet = vi.fn<FetchKeySet>(async () => ({ keys: [await toJwk(first, "1")] }));
  const users: Partial<UserDoc>[] = [
    { _id: 3, username: "shop", deletedAtSeconds: isUserDeleted ? 1 : 0 },
    { _id: 4, username: "Ann", deletedAtSeconds: 0 },
  ];
  const tokens = createOidcTokens({
    options: {
      inForce: () => Promise.resolve(optionsInForce([{ key: "OidcTokenIssuers", value: JSON.stringify(configured) }])),
    },
    users: {
      findByName: (name) =>
        Promise.resolve(users.find(({ username }) => username?.toLowerCase() === name.toLowerCase()) as UserDoc),
    },
    fetchKeySet,
    nowMs: () => nowMs,
    log: createLogger("test", "silent"),
  });
  return {
    ...tokens,
    fetchKeySet,
    pass: (ms: number) => (nowMs += ms),
    configure: (next: readonly OidcTokenIssuer[]) => (configured = next),
    refusalOf: async (token: string) => (await tokens.verify(token)).refusal,
  };
}

describe("a token of an issuer", () => {
  it("stands for the user and the token of the rule that matches, until it expires", async () => {
    const { verify } = createWorld();
    expect(await verify(await sign(first, "1"))).toEqual({
      refusal: "",
      userId: 3,
      tokenName: "builder",
      acceptedUntilMs: NOW_MS + 630_000,
    });
    const staff = { ...CLAIMS, aud: ["x", "api"], sub: "a", groups: ["staff"], preferred_username: "Ann" };
    expect(await verify(await sign(first, "1", staff))).toMatchObject({ refusal: "", userId: 4, tokenName: "oidc" });
  });

  it.each([
    ["RS256", "RS256"],
    ["PS256", "PS256"],
    ["ES384", "ES384"],
    ["ES512", "ES512"],
    ["EdDSA", "EdDSA"],
    ["EdDSA", "Ed25519"],
  ])("may be signed with a key for %s as %s", async (kind, alg) => {
    const pair = await generateKeyPair(kind);
    const { verify, fetchKeySet } = createWorld();
    fetchKeySet.mockResolvedValue({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: "k" }] });
    const token = await new SignJWT(CLAIMS).setProtectedHeader({ alg, kid: "k" }).sign(pair.privateKey);
    expect((await verify(token)).refusal).toBe("");
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["has expired", { exp: NOW - 31 }, "it has expired"],
    ["has no end", { exp: undefined }, 'its claim "exp" is missing'],
    ["has an end that is no time", { exp: "never" }, 'its claim "exp" is not accepted'],
    ["is not valid yet", { nbf: NOW + 31 }, "it is not valid yet"],
    ["was issued in the future", { iat: NOW + 31 }, "it is not valid yet"],
    ["has no time of issue", { iat: undefined }, 'its claim "iat" is missing'],
    ["is older than a day, although it has not expired", { iat: NOW - 86_431 }, "it was issued too long ago"],
    ["is for another audience", { aud: "elsewhere" }, "it is for another audience"],
    ["has no audience", { aud: undefined }, "it is for another audience"],
    ["is of another issuer", { iss: "https://id.example.com/" }, "its issuer is not trusted"],
    ["matches no rule", { sub: "other" }, "no rule of its issuer matches its claims"],
    [
      "names a user of another spelling",
      { sub: "x", groups: "staff", preferred_username: "ann" },
      'there is no user "ann"',
    ],
    ["names no user", { sub: "x", groups: "staff", preferred_username: "eve" }, 'there is no user "eve"'],
  ])("is refused when it %s", async (_, claims, refusal) => {
    expect(await createWorld().refusalOf(await sign(first, "1", { ...CLAIMS, ...claims } as JWTPayload))).toBe(refusal);
  });

  it("is accepted within 30 seconds of clock skew", async () => {
    const { verify } = createWorld();
    for (const claims of [{ exp: NOW - 29 }, { nbf: NOW + 29 }, { iat: NOW + 29 }, { iat: NOW - 86_429 }])
      expect((await verify(await sign(first, "1", { ...CLAIMS, ...claims }))).refusal).toBe("");
  });

  it("ends at the age that its issuer allows, if it expires later", async () => {
    const { verify, refusalOf, pass } = createWorld({ issuers: [{ ...ISSUER, max_age_seconds: 120 }] });
    const token = await sign(first, "1", { ...CLAIMS, iat: NOW - 60.5, exp: NOW + 1e300 });
    expect(await verify(token)).toMatchObject({ refusal: "", acceptedUntilMs: NOW_MS + 89_500 });
    pass(91_000);
    expect(await refusalOf(token)).toBe("it was issued too long ago");
  });

  it.each([
    [undefined, ""],
    ["JWT", ""],
    ["application/at+jwt", ""],
    ["logout+jwt", "it is not an ID token or access token"],
    ["secevent+jwt", "it is not an ID token or access token"],
  ])("of the type %s gets the refusal %j", async (typ, refusal) => {
    const header = { alg: "ES256", kid: "1", ...(typ === undefined ? {} : { typ }) };
    const token = await new SignJWT(CLAIMS).setProtectedHeader(header).sign(first.privateKey);
    expect(await createWorld().refusalOf(token)).toBe(refusal);
  });

  it("is refused when its header brings a key or an address of its own", async () => {
    const { refusalOf, fetchKeySet } = createWorld();
    const own = { jwk: await exportJWK(second.publicKey), jku: "https://evil.example.com/keys", kid: "1" };
    const token = await new SignJWT(CLAIMS).setProtectedHeader({ alg: "ES256", ...own }).sign(second.privateKey);
    expect(await refusalOf(token)).toBe("its signature is wrong");
    expect(fetchKeySet.mock.calls.map(([{ issuer }]) => issuer)).toEqual([ISSUER.issuer]);
  });

  it("is never checked with a symmetric key that an issuer publishes", async () => {
    const { refusalOf, fetchKeySet } = createWorld();
    fetchKeySet.mockResolvedValue({ keys: [{ kty: "oct", k: "c2VjcmV0", kid: "1", alg: "HS256" }] });
    const hmac = await new SignJWT(CLAIMS)
      .setProtectedHeader({ alg: "HS256", kid: "1" })
      .sign(Buffer.from("secret".repeat(8)));
    expect(await refusalOf(hmac)).toBe("its algorithm is not accepted");
    expect(await refusalOf(await sign(first, "1"))).toBe("its issuer has no such key");
  });

  it("is refused when it was forged: another key, a changed claim, no algorithm, HMAC with the public key", async () => {
    const { refusalOf } = createWorld();
    expect(await refusalOf(await sign(second, "1"))).toBe("its signature is wrong");
    const [head, , signature] = (await sign(first, "1")).split(".");
    expect(await refusalOf(`${head}.${encode({ ...CLAIMS, sub: "root" })}.${signature}`)).toBe(
      "its signature is wrong",
    );
    const none = `${encode({ alg: "none" })}.${encode(CLAIMS)}.`;
    expect(await refusalOf(none)).toBe("its algorithm is not accepted");
    const content = `${encode({ alg: "HS256", kid: "1" })}.${encode(CLAIMS)}`;
    const secret = JSON.stringify(await toJwk(first, "1"));
    const hmac = createHmac("sha256", secret).update(content).digest("base64url");
    expect(await refusalOf(`${content}.${hmac}`)).toBe("its algorithm is not accepted");
    for (const text of ["", "a.b.c", "x".repeat(20_000)]) expect(await refusalOf(text)).toBe("it is not a valid token");
  });

  it("is refused when its user was deleted, and when its issuer is no longer trusted", async () => {
    expect(await createWorld({ isUserDeleted: true }).refusalOf(await sign(first, "1"))).toBe(
      'there is no user "shop"',
    );
    const { refusalOf, configure } = createWorld();
    const token = await sign(first, "1");
    expect(await refusalOf(token)).toBe("");
    configure([]);
    expect(await refusalOf(token)).toBe("its issuer is not trusted");
  });

  it("is refused with a key that is too weak", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
    const { verify, fetchKeySet } = createWorld();
    fetchKeySet.mockResolvedValue({ keys: [{ ...(await exportJWK(publicKey)), kid: "w", alg: "RS256" }] });
    const content = `${encode({ alg: "RS256", kid: "w" })}.${encode(CLAIMS)}`;
    const signature = signBytes("sha256", Buffer.from(content), privateKey).toString("base64url");
    expect((await verify(`${content}.${signature}`)).refusal).toBe("the key of its issuer cannot be used");
  });
});

describe("keys of an issuer", () => {
  it("are fetched once for many tokens, and again in the background when they are old", async () => {
    const { verify, fetchKeySet, pass } = createWorld();
    const token = await sign(first, "1", { ...CLAIMS, exp: NOW + 10_000 });
    await Promise.all(Array.from({ length: 20 }, () => verify(token)));
    expect(fetchKeySet).toHaveBeenCalledTimes(1);
    pass(10 * 60_000);
    expect((await verify(token)).refusal).toBe("");
    expect(fetchKeySet).toHaveBeenCalledTimes(2);
  });

  it("are fetched for an unknown id, so that a rotation works at once", async () => {
    const { verify, fetchKeySet, pass } = createWorld();
    await verify(await sign(first, "1"));
    fetchKeySet.mockResolvedValue({ keys: [await toJwk(first, "1"), await toJwk(second, "2")] });
    pass(10_000);
    expect((await verify(await sign(second, "2"))).refusal).toBe("");
    fetchKeySet.mockResolvedValue({ keys: [await toJwk(second, "2")] });
    pass(10 * 60_000);
    await verify(await sign(second, "2", { ...CLAIMS, exp: NOW + 10_000 }));
    expect((await verify(await sign(first, "1", { ...CLAIMS, exp: NOW + 10_000 }))).refusal).toBe(
      "its issuer has no such key",
    );
  });

  it("are fetched at most every 10 seconds, however many unknown ids are sent", async () => {
    const { refusalOf, fetchKeySet, pass } = createWorld();
    await refusalOf(await sign(first, "1"));
    const forged = await Promise.all(Array.from({ length: 50 }, (_, index) => sign(second, `unknown ${index}`)));
    for (const token of forged) expect(await refusalOf(token)).toBe("its issuer has no such key");
    expect(fetchKeySet).toHaveBeenCalledTimes(1);
    pass(10_000);
    await Promise.all(forged.map((token) => refusalOf(token)));
    expect(fetchKeySet).toHaveBeenCalledTimes(2);
  });

  it("are unavailable, and not unknown, for a new id while the issuer is down", async () => {
    const { verify, refusalOf, fetchKeySet, pass } = createWorld();
    await verify(await sign(first, "1"));
    fetchKeySet.mockRejectedValue(new Error("down"));
    pass(10_000);
    const rotated = await sign(second, "2");
    await expect(verify(rotated)).rejects.toMatchObject({ code: "unavailable" });
    expect(await refusalOf(await sign(first, "1"))).toBe("");
    fetchKeySet.mockResolvedValue({ keys: [await toJwk(second, "2")] });
    pass(10_000);
    expect(await refusalOf(rotated)).toBe("");
    expect(await refusalOf(await sign(first, "1"))).toBe("its issuer has no such key");
  });

  it("stay in use for a day while the issuer is down, and are unavailable after it and before the first fetch", async () => {
    const { verify, fetchKeySet, pass } = createWorld();
    const token = await sign(first, "1", { ...CLAIMS, iat: NOW, exp: NOW + 200_000 });
    await verify(token);
    fetchKeySet.mockRejectedValue(new Error("down"));
    pass(24 * 3_600_000 - 1);
    expect((await verify(token)).refusal).toBe("");
    pass(10_001);
    await expect(verify(token)).rejects.toBeInstanceOf(AppError);
    const calls = fetchKeySet.mock.calls.length;
    await expect(verify(token)).rejects.toMatchObject({ code: "unavailable" });
    expect(fetchKeySet.mock.calls.length).toBe(calls);
    fetchKeySet.mockResolvedValue({ keys: [await toJwk(first, "1")] });
    pass(10_000);
    expect((await verify(token)).refusal).toBe("");
  });
});
