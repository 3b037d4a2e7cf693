import { createHash } from "node:crypto";
import { AppError } from "@turnpike/shared/errors/app-error";
import * as client from "openid-client";
import { z } from "zod";
import { type Identity, type Provider, type ProviderContext, refused, unreachable, unusable } from "../provider.ts";

const PROVIDER = "OIDC";
const SCOPE = "openid profile email";
const TIMEOUT_SECONDS = 10;
/** How long a discovery document and the provider's keys are cached. */
const CACHED_MS = 10 * 60_000;

const Claims = z.object({
  sub: z.string().min(1).max(255),
  name: z.string().nullish(),
  preferred_username: z.string().nullish(),
  email: z.string().nullish(),
  email_verified: z.union([z.boolean(), z.stringbool()]).nullish().catch(false),
});

/** A failure of the request itself, as opposed to an invalid response. */
const isTransport = (error: unknown): boolean =>
  error instanceof Error &&
  (error.message === "fetch failed" ||
    ("code" in error && ["OAUTH_TIMEOUT", "OAUTH_ABORT"].includes(String(error.code))) ||
    (error.cause !== error && isTransport(error.cause)));

/** Errors of the authorization and token endpoints that come from the settings here or at the provider; a repetition does not help. */
const MISCONFIGURED = new Set(["invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope"]);
const SignedWith = z.union([
  z.object({ alg: z.string() }),
  z.object({ header: z.object({ alg: z.string() }) }).transform(({ header }) => header),
]);

/** What is wrong with a response, for the administrator; undefined when the provider refused this one sign-in. */
function describeProblem(error: unknown): string | undefined {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  if (root instanceof client.AuthorizationResponseError || root instanceof client.ResponseBodyError)
    return MISCONFIGURED.has(root.error) ? root.error : undefined;
  if (root instanceof z.ZodError)
    return root.issues.map(({ path, message }) => `claim "${path.join(".")}": ${message}`).join("; ");
  if (!(root instanceof Error)) return undefined;
  const { data: signed } = SignedWith.safeParse(root.cause);
  return /"alg"|JWS algorithm/.test(root.message) && signed
    ? `the ID token is signed with ${signed.alg}; let the provider sign it with RS256, PS256, ES256 or EdDSA`
    : root.message;
}

function toAppError(error: unknown): AppError {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof AppError) return at;
  if (isTransport(error)) return unreachable(PROVIDER, error);
  const problem = describeProblem(error);
  return problem === undefined ? refused(PROVIDER, "no valid code", error) : unusable(PROVIDER, problem, error);
}

type Tokens = client.TokenEndpointResponse & client.TokenEndpointResponseHelpers;

/** The claims of the id token, and of the userinfo endpoint where the provider has one. */
async function readClaims(configuration: client.Configuration, tokens: Tokens): Promise<z.infer<typeof Claims>> {
  const own = Claims.parse(tokens.claims());
  if (!configuration.serverMetadata().userinfo_endpoint) return own;
  // Fails when the subject differs.
  const userInfo = await client.fetchUserInfo(configuration, tokens.access_token, own.sub);
  return Claims.parse({ ...tokens.claims(), ...userInfo });
}

const toIdentity = (claims: z.infer<typeof Claims>): Identity => ({
  id: claims.sub,
  displayName: claims.name || claims.preferred_username || "",
  username: claims.preferred_username ?? undefined,
  email: claims.email_verified === true ? (claims.email ?? undefined) : undefined,
});

function readWellKnown(context: ProviderContext): URL {
  const text = context.options.text("oidc.well_known").trim();
  if (URL.canParse(text)) return new URL(text);
  throw new AppError("oauth_not_configured", "oidc.well_known is no address", { params: { provider: PROVIDER } });
}

/** The provider's configuration from its discovery document, cached as long as the options that lead to it stay the same. */
function createDiscovery(nowMs: () => number) {
  let cached:
    | { readonly key: string; readonly until: number; readonly configuration: client.Configuration }
    | undefined;

  return async function discover(context: ProviderContext): Promise<client.Configuration> {
    const server = readWellKnown(context);
    const clientId = context.options.text("oidc.client_id");
    const secret = await context.readSecret("oidc.client_secret");
    const key = createHash("sha256")
      .update(JSON.stringify([server.href, clientId, secret]))
      .digest("hex");
    if (cached && cached.key === key && cached.until > nowMs()) return cached.configuration;
    // The library's fetch is the platform's; the guard's is undici's, which differs in types only.
    const guarded = context.fetch as unknown as client.CustomFetch;
    const configuration = await client.discovery(server, clientId, secret === "" ? undefined : secret, undefined, {
      [client.customFetch]: guarded,
      timeout: TIMEOUT_SECONDS,
      execute: [
        client.enableNonRepudiationChecks,
        ...(server.protocol === "http:" ? [client.allowInsecureRequests] : []),
      ],
    });
    cached = { key, until: nowMs() + CACHED_MS, configuration };
    return configuration;
  };
}

/**
 * An OpenID Connect provider: located by its discovery document; the code flow with PKCE and nonce; the id token's
 * signature, issuer, audience and times are verified with its published keys. Plain http is allowed only where the
 * operator entered an http address.
 */
export function oidc(nowMs: () => number = Date.now): Provider {
  const discover = createDiscovery(nowMs);
  return {
    title: PROVIDER,
    field: "oidcId",
    usernamePrefix: "oidc",
    reportsEmail: true,
    isEnabled: (options) => options.flag("oidc.enabled"),
    async authorizeUrl(context, { state, challenge, nonce, redirectUri }) {
      try {
        return client.buildAuthorizationUrl(await discover(context), {
          redirect_uri: redirectUri,
          scope: SCOPE,
          state,
          nonce,
          code_challenge: challenge,
          code_challenge_method: "S256",
        }).href;
      } catch (error) {
        throw toAppError(error);
      }
    },
    async identify(context, { params, state, journey }): Promise<Identity> {
      // Whatever else such a callback lacks, the provider or the user has refused.
      if (params["error"] !== undefined && !MISCONFIGURED.has(params["error"])) throw refused(PROVIDER, "an error");
      const back = new URL(journey.redirectUri);
      for (const [name, value] of Object.entries(params)) back.searchParams.set(name, value);
      try {
        const configuration = await discover(context);
        const tokens = await client.authorizationCodeGrant(configuration, back, {
          expectedState: state,
          idTokenExpected: true,
          ...(journey.verifier === undefined ? {} : { pkceCodeVerifier: journey.verifier }),
          ...(journey.nonce === undefined ? {} : { expectedNonce: journey.nonce }),
        });
        return toIdentity(await readClaims(configuration, tokens));
      } catch (error) {
        throw toAppError(error);
      }
    },
  };
}
