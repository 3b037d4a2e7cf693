import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anthropicClient, openaiClient } from "../../lib/clients.ts";
import type { TestUser } from "../../lib/test-site.ts";
import { useTestSite } from "../../lib/test-site-world.ts";

const CALL = { model: "gpt-4o-mini", messages: [{ role: "user" as const, content: "Hello" }] };
const SUBJECT = "system:serviceaccount:shop:builder";

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

/** An issuer whose published keys the tests choose. */
async function startIssuer() {
  let keys: { readonly kid: string; readonly pair: Keys } | undefined;
  let requests = 0;
  const server: Server = createServer((request, response) => {
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    requests++;
    const isDiscovery = request.url === "/.well-known/openid-configuration";
    const toKeySet = async () =>
      keys ? { keys: [{ ...(await exportJWK(keys.pair.publicKey)), kid: keys.kid, alg: "ES256" }] } : { keys: [] };
    void (isDiscovery ? Promise.resolve({ issuer, jwks_uri: `${issuer}/keys` }) : toKeySet()).then((document) =>
      response.setHeader("content-type", "application/json").end(JSON.stringify(document)),
    );
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const publish = async (kid: string): Promise<Keys> => {
    const pair = await generateKeyPair("ES256");
    keys = { kid, pair };
    return pair;
  };
  const signed: string[] = [];
  const sign = async (pair: Keys, kid: string, claims: JWTPayload = {}): Promise<string> => {
    const now = Math.floor(Date.now() / 1_000);
    const content = { sub: SUBJECT, aud: "turnpike", iss: url, iat: now, exp: now + 600, ...claims };
    const token = await new SignJWT(content).setProtectedHeader({ alg: "ES256", kid }).sign(pair.privateKey);
    signed.push(token);
    return token;
  };
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url, publish, sign, signed, stop, requests: () => requests };
}

const at = useTestSite();
let issuer: Awaited<ReturnType<typeof startIssuer>>;
let pair: Keys;
let user: TestUser;

const setIssuers = (issuers: unknown): Promise<unknown> =>
  at.testSite.root.put("/api/option/", { key: "OidcTokenIssuers", value: JSON.stringify(issuers) });
const toIssuer = (fields: Record<string, unknown> = {}) => ({
  issuer: issuer.url,
  audiences: ["turnpike"],
  allow_private_address: true,
  rules: [
    { claims: { sub: SUBJECT }, user: user.username, token: "builder" },
    { claims: { team: ["shop"] }, user_claim: "preferred_username", token: "small" },
  ],
  ...fields,
});
const callWith = (token: string, model = CALL.model) =>
  openaiClient(at.world.relayUrl, token).chat.completions.create({ ...CALL, model });
/** The status and the message of a refused call. */
const refusalOf = (token: string): Promise<string> =>
  callWith(token).then(
    () => "served",
    (error: { status: number; message: string }) => `${error.status} ${error.message}`,
  );
const eventually = (what: string, token: string, expected: string) =>
  at.testSite.eventually(what, 10_000, async () => ((await refusalOf(token)).includes(expected) ? true : undefined));

beforeAll(async () => {
  issuer = await startIssuer();
  pair = await issuer.publish("first");
  user = await at.testSite.createUser(50_000_000);
  await at.testSite.token({ name: "builder", model_limits_enabled: true, model_limits: "gpt-4o-mini" }, user.client);
  await at.testSite.token({ name: "small", remain_quota: 1 }, user.client);
});
afterAll(() => issuer?.stop());

describe("tokens of an issuer", () => {
  it("are wrong keys, and cause no request, before the site trusts their issuer", async () => {
    expect(await refusalOf(await issuer.sign(pair, "first"))).toContain("401");
    expect(issuer.requests()).toBe(0);
    const wrong = { ...toIssuer(), rules: [{ claims: { sub: SUBJECT }, user: "a", token: "" }] };
    await expect(setIssuers([wrong])).rejects.toThrow("#1.rules[0].token");
  });

  it("serve calls that are charged to the mapped user and counted for the mapped token", async () => {
    await setIssuers([toIssuer()]);
    const token = await issuer.sign(pair, "first");
    await eventually("the trusted issuer", token, "served");
    const before = await user.client.get<{ quota: number }>("/api/user/self");
    const { response } = await openaiClient(at.world.relayUrl, token).chat.completions.create(CALL).withResponse();
    const row = await at.testSite.readLogRow(response.headers.get("x-request-id") ?? "");
    expect(row).toMatchObject({ username: user.username, token_name: "builder", model_name: "gpt-4o-mini" });
    expect(row.quota).toBeGreaterThan(0);
    await at.testSite.eventually("the charge", 15_000, async () => {
      const { quota } = await user.client.get<{ quota: number }>("/api/user/self");
      return quota <= before.quota - row.quota ? true : undefined;
    });
    expect(issuer.requests()).toBe(2);
  });

  it("are accepted in the headers of other clients, and refused in the caller's dialect", async () => {
    const token = await issuer.sign(pair, "first");
    const listWith = (headers: Record<string, string>) =>
      fetch(`${at.world.relayUrl}/v1/models`, { headers }).then(({ status }) => status);
    for (const name of ["x-api-key", "x-goog-api-key", "api-key", "authorization"])
      expect([name, await listWith({ [name]: token })]).toEqual([name, 200]);
    const inQuery = await fetch(`${at.world.relayUrl}/v1beta/models?key=${token}`);
    expect(inQuery.status).toBe(401);
    expect(await inQuery.json()).toMatchObject({
      error: { status: "UNAUTHENTICATED", message: expect.stringContaining("in a header") as string },
    });
    const forged = await issuer.sign(await generateKeyPair("ES256"), "first");
    const message = { model: "claude-3-5-sonnet-20241022", max_tokens: 9, messages: CALL.messages };
    await expect(anthropicClient(at.world.relayUrl, forged).messages.create(message)).rejects.toMatchObject({
      status: 401,
      error: { type: "error", error: { type: "authentication_error" } },
    });
  });

  it("are refused with the reason when they are forged, expired or for another audience", async () => {
    expect(await refusalOf(await issuer.sign(await generateKeyPair("ES256"), "first"))).toMatch(/^401 .*signature/);
    expect(await refusalOf(await issuer.sign(pair, "first", { exp: 1_000 }))).toMatch(/^401 .*expired/);
    expect(await refusalOf(await issuer.sign(pair, "first", { aud: "elsewhere" }))).toMatch(/^401 .*audience/);
    expect(await refusalOf(await issuer.sign(pair, "first", { sub: "other" }))).toMatch(/^401 .*no rule/);
  });

  it("are 503 in the caller's dialect while the keys of their issuer cannot be read", async () => {
    const url = "http://127.0.0.1:1";
    await setIssuers([toIssuer(), toIssuer({ issuer: url })]);
    const token = await issuer.sign(pair, "first", { iss: url });
    await eventually("the issuer that is down", token, "503");
    const message = { model: "claude-3-5-sonnet-20241022", max_tokens: 9, messages: CALL.messages };
    await expect(anthropicClient(at.world.relayUrl, token).messages.create(message)).rejects.toMatchObject({
      status: 503,
      error: { type: "error", error: { type: "overloaded_error" } },
    });
    const google = await fetch(`${at.world.relayUrl}/v1beta/models`, { headers: { "x-goog-api-key": token } });
    expect([google.status, await google.json()]).toMatchObject([503, { error: { status: "UNAVAILABLE" } }]);
    expect(await refusalOf(await issuer.sign(pair, "first"))).toBe("served");
  });

  it("follow a changed rule at once, and end with their deleted user", async () => {
    const other = await at.testSite.createUser(50_000_000);
    await at.testSite.token({ name: "builder", unlimited_quota: true }, other.client);
    const token = await issuer.sign(pair, "first");
    const ownerOf = async (): Promise<string> => {
      const { response } = await openaiClient(at.world.relayUrl, token).chat.completions.create(CALL).withResponse();
      const row = await at.testSite.readLogRow(response.headers.get("x-request-id") ?? "");
      return row.username;
    };
    expect(await ownerOf()).toBe(user.username);
    await setIssuers([toIssuer({ rules: [{ claims: { sub: SUBJECT }, user: other.username, token: "builder" }] })]);
    await at.testSite.eventually("the changed rule", 5_000, async () =>
      (await ownerOf()) === other.username ? true : undefined,
    );
    await at.testSite.root.post("/api/user/manage", { id: other.id, action: "delete" });
    await eventually("the deleted user", token, `401 the token is not accepted: there is no user "${other.username}"`);
    await setIssuers([toIssuer()]);
    await eventually("the first rule", token, "served");
  });

  it("have the models and the quota of the mapped token", async () => {
    const token = await issuer.sign(pair, "first");
    await expect(callWith(token, "gpt-4o")).rejects.toThrow("gpt-4o");
    const claims = { sub: "x", team: "shop", preferred_username: user.username };
    expect(await refusalOf(await issuer.sign(pair, "first", claims))).toMatch(/^4\d\d .*quota/);
    const unknown = { ...claims, preferred_username: "nobody" };
    expect(await refusalOf(await issuer.sign(pair, "first", unknown))).toMatch(/^401 .*no user "nobody"/);
  });

  it("end when the user is banned, and when the issuer is no longer trusted", async () => {
    const token = await issuer.sign(pair, "first");
    expect(await refusalOf(token)).toBe("served");
    await at.testSite.root.post("/api/user/manage", { id: user.id, action: "disable" });
    await eventually("the ban", token, "banned");
    await at.testSite.root.post("/api/user/manage", { id: user.id, action: "enable" });
    await eventually("the end of the ban", token, "served");
    await setIssuers([]);
    await eventually("the removed issuer", token, "401");
    await setIssuers([toIssuer()]);
    await eventually("the trusted issuer", token, "served");
  });

  it("of a new key are accepted after the issuer rotated its keys", async () => {
    const next = await issuer.publish("second");
    const token = await issuer.sign(next, "second");
    await at.testSite.eventually("the new key", 30_000, async () =>
      (await refusalOf(token)) === "served" ? true : undefined,
    );
  });

  it("are in no line that a service logs", () => {
    const printed = at.world.log.lines.map(({ line }) => line).join("\n");
    expect(issuer.signed.length).toBeGreaterThan(10);
    // Neither a token nor its signature, by which it could be assembled.
    for (const token of issuer.signed) expect(printed).not.toContain(token.slice(token.lastIndexOf(".") + 1));
  });
});
