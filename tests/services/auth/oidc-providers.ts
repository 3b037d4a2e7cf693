import { createHash, randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { type Configuration, Provider } from "oidc-provider";

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** The site's client credentials at both providers. */
export const CLIENT = {
  id: "turnpike",
  secret: "the client's secret of the tests",
  redirect: "https://turnpike.example/oauth/oidc",
  /** The callback at the origin that a browser reports. */
  seenRedirect: "https://seen.example/oauth/oidc",
};
const REDIRECTS = [CLIENT.redirect, CLIENT.seenRedirect];

/** A real OpenID provider (npm oidc-provider) that requires PKCE; `claims` are the claims of each account. */
export async function startRealProvider(claims: Record<string, Record<string, unknown>>) {
  const server = createServer();
  const issuer = await listen(server);
  const configuration: Configuration = {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: REDIRECTS }],
    pkce: { required: () => true },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "preferred_username"] },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...claims[sub] }) }),
    cookies: { keys: ["a key of the tests"] },
    features: { devInteractions: { enabled: true } },
  };
  const provider = new Provider(issuer, configuration);
  const handle = provider.callback();
  server.on("request", (request, response) => void handle(request, response));

  /** Simulates a user's browser at the provider: signs in, consents, and returns with a code. */
  const walk = async (authorizeUrl: string, account: string): Promise<Record<string, string>> => {
    const jar = new Map<string, string>();
    let url = authorizeUrl;
    let form: URLSearchParams | undefined;
    for (let step = 0; step < 15; step++) {
      const response = await fetch(url, {
        method: form ? "POST" : "GET",
        body: form ?? null,
        redirect: "manual",
        headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") },
      });
      for (const line of response.headers.getSetCookie()) {
        const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
        jar.set(name, value);
      }
      form = undefined;
      const location = response.headers.get("location");
      if (REDIRECTS.some((redirect) => location?.startsWith(redirect)))
        return Object.fromEntries(new URL(location ?? "").searchParams);
      if (location) {
        url = new URL(location, issuer).href;
        continue;
      }
      const html = await response.text();
      url = new URL(/action="([^"]+)"/.exec(html)?.[1] ?? "", issuer).href;
      const isLogin = html.includes('name="login"');
      form = new URLSearchParams(
        isLogin ? { prompt: "login", login: account, password: "any" } : { prompt: "consent" },
      );
    }
    throw new Error("the provider never sent the browser back");
  };
  return { wellKnown: `${issuer}/.well-known/openid-configuration`, issuer, walk, stop: () => void server.close() };
}

/** How the hostile provider's id token differs from a valid one. */
export type Forgery = {
  readonly algorithm?: "none" | "HS256";
  readonly claims?: Record<string, unknown>;
  readonly isOtherKey?: boolean;
  readonly userinfoSub?: string;
};

/** A provider that returns whatever id token the test sets. */
export async function startHostileProvider() {
  const keys = await generateKeyPair("RS256", { extractable: true });
  const others = await generateKeyPair("RS256", { extractable: true });
  const state = { forgery: {} as Forgery, nonce: "", challenge: "", verifierFits: false };
  const server = createServer();
  const issuer = await listen(server);

  const idToken = async (): Promise<string> => {
    const { algorithm, claims, isOtherKey } = state.forgery;
    const payload = { sub: "victim", nonce: state.nonce, ...claims };
    const base = {
      iss: issuer,
      aud: CLIENT.id,
      iat: Math.floor(Date.now() / 1000),
      exp: Math.floor(Date.now() / 1000) + 300,
    };
    if (algorithm === "none") {
      const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
      return `${part({ alg: "none" })}.${part({ ...base, ...payload })}.`;
    }
    const token = new SignJWT({ ...base, ...payload });
    if (algorithm === "HS256")
      return token.setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode(CLIENT.secret));
    return token.setProtectedHeader({ alg: "RS256", kid: "one" }).sign((isOtherKey ? others : keys).privateKey);
  };
  const documents: Record<string, (body: URLSearchParams) => Promise<object>> = {
    "/.well-known/openid-configuration": async () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256", "HS256"],
    }),
    "/jwks": async () => ({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: "one", alg: "RS256", use: "sig" }] }),
    "/token": async (body) => {
      const verifier = body.get("code_verifier") ?? "";
      state.verifierFits = createHash("sha256").update(verifier).digest("base64url") === state.challenge;
      return { access_token: randomUUID(), token_type: "Bearer", expires_in: 60, id_token: await idToken() };
    },
    "/userinfo": async () => ({ sub: state.forgery.userinfoSub ?? "victim" }),
  };
  server.on("request", (request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const result = documents[request.url ?? ""]?.(new URLSearchParams(body)) ?? Promise.resolve({});
      void result.then((value) => {
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
      });
    });
  });
  return {
    issuer,
    wellKnown: `${issuer}/.well-known/openid-configuration`,
    /** Returns this token for the next sign-in that started with this address. */
    forgeResponse: (authorizeUrl: string, forgery: Forgery): void => {
      const way = new URL(authorizeUrl).searchParams;
      Object.assign(state, { forgery, nonce: way.get("nonce") ?? "", challenge: way.get("code_challenge") ?? "" });
    },
    verifierFitted: (): boolean => state.verifierFits,
    stop: () => void server.close(),
  };
}
