import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createIssuerFetch, createKeySetFetch } from "./issuer-documents.ts";

const KEYS = { keys: [{ kty: "EC", crv: "P-256", x: "x", y: "y", kid: "1" }] };

let server: Server;
let url: string;
let documents: Record<string, string> = {};
let redirects: Record<string, string> = {};
let requests: string[] = [];

beforeAll(async () => {
  server = createServer(({ url: path = "" }, response) => {
    requests.push(path);
    const location = redirects[path];
    if (location !== undefined) return response.writeHead(302, { location }).end();
    const body = documents[path];
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
    return body === "never" ? undefined : response.end(body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realms/main`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const serve = (discovery: unknown, keys: unknown = KEYS): void => {
  documents = {
    "/realms/main/.well-known/openid-configuration": JSON.stringify(discovery),
    "/keys": typeof keys === "string" ? keys : JSON.stringify(keys),
  };
};
beforeEach(() => {
  requests = [];
  redirects = {};
  serve({ issuer: url, jwks_uri: `${new URL(url).origin}/keys` });
});

const fetchKeys = (issuer = url) => createKeySetFetch([])({ issuer, allow_private_address: true });

describe("the documents of an issuer", () => {
  it("are its discovery document and the key set that it names", async () => {
    expect(await fetchKeys()).toEqual(KEYS);
    expect(requests).toEqual(["/realms/main/.well-known/openid-configuration", "/keys"]);
  });

  it("are not read from a private address that neither the issuer nor the operator allows", async () => {
    const issuer = { issuer: url };
    await expect(createKeySetFetch([])(issuer)).rejects.toMatchObject({ code: "address_not_allowed" });
    expect(requests).toEqual([]);
    expect(await createKeySetFetch(["127.0.0.1"])(issuer)).toEqual(KEYS);
  });

  it("are never read from link-local addresses, where clouds serve credentials", async () => {
    await expect(fetchKeys("http://169.254.169.254")).rejects.toMatchObject({ code: "address_not_allowed" });
    serve({ issuer: url, jwks_uri: "http://169.254.169.254/keys" });
    await expect(fetchKeys()).rejects.toMatchObject({ code: "address_not_allowed" });
  });

  it("are refused when they are of another issuer, no JSON, of another shape, missing or too large", async () => {
    serve({ issuer: "https://id.example.com", jwks_uri: `${new URL(url).origin}/keys` });
    await expect(fetchKeys()).rejects.toThrow("names another issuer");
    serve({ issuer: url });
    await expect(fetchKeys()).rejects.toThrow("the discovery document is not valid at jwks_uri");
    for (const [keys, message] of [
      ["no JSON", "not JSON"],
      [{ keys: "none" }, "the key set is not valid at keys"],
      [{ keys: Array.from({ length: 101 }, () => KEYS.keys[0]) }, "the key set is not valid at keys"],
      [JSON.stringify({ ...KEYS, padding: "x".repeat(300_000) }), "not JSON"],
    ] as const) {
      serve({ issuer: url, jwks_uri: `${new URL(url).origin}/keys` }, keys);
      await expect(fetchKeys()).rejects.toThrow(message);
    }
    documents = {};
    await expect(fetchKeys()).rejects.toThrow("HTTP 404");
  });

  it("are not read from an address to which a redirect leads, if that one is not allowed", async () => {
    redirects = { "/keys": "http://169.254.169.254/keys" };
    await expect(fetchKeys()).rejects.toMatchObject({ code: "address_not_allowed" });
    redirects = { "/keys": "/keys" };
    await expect(fetchKeys()).rejects.toThrow("too many redirects");
  });

  it("have one deadline for all of them", async () => {
    serve({ issuer: url, jwks_uri: `${new URL(url).origin}/keys` }, "never");
    const startedMs = Date.now();
    await expect(fetchKeys()).rejects.toThrow("timeout");
    expect(Date.now() - startedMs).toBeLessThan(5_000);
  });

  it("of an https issuer are never read by http, also after a redirect", async () => {
    const requested: string[] = [];
    const redirect = (location: string) => Promise.resolve(new Response(null, { status: 302, headers: { location } }));
    const fetchJson = createIssuerFetch("https://id.example.com", ((target: string) => {
      requested.push(target);
      return redirect("http://id.example.com/keys");
    }) as never);
    await expect(fetchJson("https://id.example.com/keys")).rejects.toThrow("not an https address");
    expect(requested).toEqual(["https://id.example.com/keys"]);
    await expect(fetchJson("http://id.example.com/keys")).rejects.toThrow("not an https address");
  });
});
