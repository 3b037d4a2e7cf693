import type { OidcTokenIssuer } from "@turnpike/contract/options/oidc-token-issuers";
import { createPrivateAddressGuard, type PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import type { JSONWebKeySet } from "jose";
import { z } from "zod";
import { createFetchJson, FetchFailure } from "../admin-lookups/json-document.ts";

/** For both documents and their redirects together: the relay waits 5 seconds for a response. */
const TIMEOUT_MS = 4_000;
const DOCUMENT_BYTES_MAX = 256 * 1024;
/** Networks that `allow_private_address` opens; not link-local ones, where clouds serve credentials. */
const PRIVATE_NETWORKS = [
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "::1/128",
  "fc00::/7",
];

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url() });
const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(100) });

/** What is read of an issuer's configuration to fetch its keys. */
export type IssuerAddress = Pick<OidcTokenIssuer, "issuer" | "allow_private_address" | "ca_certificate">;
export type FetchKeySet = (issuer: IssuerAddress) => Promise<JSONWebKeySet>;

function parse<Shape>(schema: z.ZodType<Shape>, document: unknown, what: string): Shape {
  const parsed = schema.safeParse(document);
  if (parsed.success) return parsed.data;
  throw new FetchFailure(
    "unreadable",
    `${what} is not valid at ${parsed.error.issues[0]?.path.join(".") ?? "its root"}`,
  );
}

/** Fetches documents of an issuer before one deadline; those of an https issuer by https only, also after a redirect. */
export function createIssuerFetch(issuer: string, fetch: PrivateAddressGuard["fetch"]) {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  return createFetchJson(async (target, init) => {
    if (issuer.startsWith("https:") && new URL(target).protocol !== "https:")
      throw new FetchFailure("unreadable", "not an https address");
    return fetch(target, { ...init, signal });
  });
}

/**
 * Fetches an issuer's keys: its discovery document, then the key set that it names. Both are limited in time and size;
 * private addresses are refused unless the issuer allows them or the operator does (PRIVATE_ADDRESS_ALLOWLIST), and cloud
 * metadata only opens to an operator who names its address. Throws
 * address_not_allowed or a FetchFailure with a short reason.
 */
export function createKeySetFetch(allowlist: readonly string[]): FetchKeySet {
  return async ({ issuer, allow_private_address: isPrivate, ca_certificate: ca }) => {
    const guard = createPrivateAddressGuard({
      allowlist: isPrivate === true ? [...allowlist, ...PRIVATE_NETWORKS] : allowlist,
      responseBytesMax: DOCUMENT_BYTES_MAX,
      callTimeoutMs: TIMEOUT_MS,
      ...(ca === undefined ? {} : { ca }),
    });
    try {
      const fetchJson = createIssuerFetch(issuer, guard.fetch);
      const wellKnown = `${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`;
      const discovery = parse(Discovery, await fetchJson(wellKnown), "the discovery document");
      if (discovery.issuer !== issuer)
        throw new FetchFailure("unreadable", "the discovery document names another issuer");
      return parse(KeySet, await fetchJson(discovery.jwks_uri), "the key set");
    } finally {
      await guard.close();
    }
  };
}
