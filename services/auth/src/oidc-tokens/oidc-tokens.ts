import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { OIDC_TOKEN_AGE_SECONDS, type OidcTokenIssuer } from "@turnpike/contract/options/oidc-token-issuers";
import type { VerifyOidcTokenResponse } from "@turnpike/proto/auth/v1/oidc_token_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Logger } from "@turnpike/shared/log/log";
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from "jose";
import type { UserStore } from "../users/user-store.ts";
import { mapClaims } from "./claim-rules.ts";
import type { FetchKeySet } from "./issuer-documents.ts";
import { IssuerKeys } from "./issuer-keys.ts";

/** Only signatures with a public key: `none` and HMAC are never accepted. */
const ALGORITHMS = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" ");
/** Header `typ` of ID and access tokens. Issuers sign other things with the same key, such as logout tokens. */
const TYPES: ReadonlySet<unknown> = new Set([undefined, "jwt", "jose", "at+jwt"]);
/** How far the clock of an issuer may differ, in seconds. */
const CLOCK_SKEW_SECONDS = 30;
/** As long as the headers of a request may be. */
const TOKEN_LENGTH_MAX = 16_384;
const NOT_A_TOKEN = "it is not a valid token";

const REFUSALS: readonly (readonly [error: abstract new (...args: never[]) => Error, refusal: string])[] = [
  [errors.JOSEAlgNotAllowed, "its algorithm is not accepted"],
  [errors.JWKSNoMatchingKey, "its issuer has no such key"],
  [errors.JWKSMultipleMatchingKeys, "it does not name the key that signed it"],
  [errors.JWSSignatureVerificationFailed, "its signature is wrong"],
];

/** Why a token is refused, for its sender; throws an AppError again, which is not the token's fault. */
function toRefusal(error: unknown, log: Logger): string {
  if (error instanceof AppError) throw error;
  if (!(error instanceof errors.JOSEError)) {
    // The platform's errors: an RSA key below 2048 bits, a point that is not on its curve.
    log.warn({ err: error }, "a published key of an issuer cannot be used");
    return "the key of its issuer cannot be used";
  }
  if (error instanceof errors.JWTExpired)
    return error.claim === "iat" ? "it was issued too long ago" : "it has expired";
  const known = REFUSALS.find(([type]) => error instanceof type);
  if (known) return known[1];
  if (!(error instanceof errors.JWTClaimValidationFailed)) return NOT_A_TOKEN;
  if (error.reason === "check_failed" && (error.claim === "nbf" || error.claim === "iat")) return "it is not valid yet";
  return error.reason === "missing"
    ? `its claim "${error.claim}" is missing`
    : `its claim "${error.claim}" is not accepted`;
}

/** The content of a token before it is verified; a text when it is none of the accepted kinds. */
function decode(token: string): JWTPayload | string {
  if (token.length > TOKEN_LENGTH_MAX) return NOT_A_TOKEN;
  try {
    const { typ } = decodeProtectedHeader(token);
    if (!TYPES.has(typ?.toLowerCase().replace(/^application\//, ""))) return "it is not an ID token or access token";
    return decodeJwt(token);
  } catch {
    return NOT_A_TOKEN;
  }
}

/** Unix milliseconds until which verified claims are accepted; `exp` and `iat` are present. */
function getEndMs({ exp = 0, iat = 0 }: JWTPayload, maxAgeSeconds: number): number {
  return Math.floor((Math.min(exp, iat + maxAgeSeconds) + CLOCK_SKEW_SECONDS) * 1_000);
}

const refuse = (refusal: string): VerifyOidcTokenResponse => ({
  refusal,
  userId: 0,
  tokenName: "",
  acceptedUntilMs: 0,
});

/** The issuer of a token by its audience; a text with the reason where there is none. */
function findIssuer(issuers: readonly OidcTokenIssuer[], { iss, aud }: JWTPayload): OidcTokenIssuer | string {
  const ofIssuer = issuers.filter(({ issuer }) => issuer === iss);
  if (ofIssuer.length === 0) return "its issuer is not trusted";
  const sent: readonly unknown[] = [aud].flat();
  return ofIssuer.find(({ audiences }) => audiences.some((one) => sent.includes(one))) ?? "it is for another audience";
}

const getMaxAge = ({ max_age_seconds: seconds = OIDC_TOKEN_AGE_SECONDS }: OidcTokenIssuer): number => seconds;

type Deps = {
  readonly options: { readonly inForce: () => Promise<OptionsInForce> };
  readonly users: Pick<UserStore, "findByName">;
  readonly fetchKeySet: FetchKeySet;
  readonly nowMs: () => number;
  readonly log: Logger;
};

export type OidcTokens = ReturnType<typeof createOidcTokens>;

/** Keys by issuer as it is configured; those of removed issuers are dropped. */
function createKeys(deps: Deps) {
  const keys = new Map<string, IssuerKeys>();
  const toName = ({
    issuer,
    allow_private_address: isPrivate = false,
    ca_certificate: ca = "",
  }: OidcTokenIssuer): string => JSON.stringify([issuer, isPrivate, ca]);
  return (issuers: readonly OidcTokenIssuer[], issuer: OidcTokenIssuer): IssuerKeys => {
    const configured = new Set(issuers.map(toName));
    for (const name of keys.keys()) if (!configured.has(name)) keys.delete(name);
    const name = toName(issuer);
    const found = keys.get(name) ?? new IssuerKeys(deps, issuer);
    keys.set(name, found);
    return found;
  };
}

/** Verifies tokens of trusted issuers and maps their claims to a user and the name of one of the user's Turnpike tokens. */
export function createOidcTokens(deps: Deps) {
  const getKeys = createKeys(deps);
  const verifySignature = async (
    token: string,
    issuer: OidcTokenIssuer,
    keys: IssuerKeys,
  ): Promise<JWTPayload | string> => {
    try {
      const { payload } = await jwtVerify(token, (header, jws) => keys.find(header, jws), {
        issuer: issuer.issuer,
        audience: issuer.audiences,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_SKEW_SECONDS,
        requiredClaims: ["exp"],
        maxTokenAge: getMaxAge(issuer),
        currentDate: new Date(deps.nowMs()),
      });
      return payload;
    } catch (error) {
      return toRefusal(error, deps.log);
    }
  };
  return {
    /** What a token stands for, or why it is refused. Throws unavailable while the keys of its issuer cannot be read. */
    async verify(token: string): Promise<VerifyOidcTokenResponse> {
      const unverified = decode(token);
      if (typeof unverified === "string") return refuse(unverified);
      const issuers = (await deps.options.inForce()).json<OidcTokenIssuer[]>("OidcTokenIssuers");
      const issuer = findIssuer(issuers, unverified);
      if (typeof issuer === "string") return refuse(issuer);
      const claims = await verifySignature(token, issuer, getKeys(issuers, issuer));
      if (typeof claims === "string") return refuse(claims);
      const mapped = mapClaims(issuer, claims);
      if (typeof mapped === "string") return refuse(mapped);
      const { username, tokenName } = mapped;
      const user = await deps.users.findByName(username);
      // Lookups ignore case, issuers may not: a claim must be exactly the name.
      if (!user || user.deletedAtSeconds !== 0 || user.username !== username)
        return refuse(`there is no user "${username}"`);
      return { refusal: "", userId: user._id, tokenName, acceptedUntilMs: getEndMs(claims, getMaxAge(issuer)) };
    },
  };
}
