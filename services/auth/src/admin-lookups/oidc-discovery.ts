import type { DiscoverOidcResponse } from "@turnpike/proto/auth/v1/site_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { z } from "zod";
import { FetchFailure, type FetchJson } from "./json-document.ts";

const WELL_KNOWN_PATH = "/.well-known/openid-configuration";
const webAddress = z.string().refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol));

/** The fields read from a discovery document. */
const Discovery = z.object({
  issuer: webAddress,
  authorization_endpoint: webAddress,
  token_endpoint: webAddress,
  userinfo_endpoint: webAddress.optional(),
  end_session_endpoint: webAddress.optional(),
  scopes_supported: z.array(z.string()).optional(),
});

const failed = (detail: string, cause?: unknown): AppError =>
  new AppError("oidc_discovery_failed", `the discovery failed: ${detail}`, { params: { detail }, cause });

/**
 * The address of the discovery document: the entered one, or the well-known path under it. Throws
 * oidc_discovery_failed.
 */
export function toWellKnownUrl(typed: string): string {
  const text = typed.trim();
  if (!webAddress.safeParse(text).success) throw failed("http(s)://");
  const { pathname } = new URL(text);
  return pathname.includes("/.well-known/") ? text : text.replace(/\/+$/, "") + WELL_KNOWN_PATH;
}

/** Reads a provider's discovery document; throws oidc_discovery_failed or address_not_allowed. */
export const createOidcDiscovery =
  (fetchJson: FetchJson) =>
  async (typed: string): Promise<DiscoverOidcResponse> => {
    const wellKnown = toWellKnownUrl(typed);
    const document = await fetchJson(wellKnown).catch((error: unknown) => {
      throw error instanceof FetchFailure ? failed(error.message, error) : error;
    });
    const result = Discovery.safeParse(document);
    if (!result.success) throw failed(result.error.issues[0]?.path.join(".") || "document");
    const { data } = result;
    return {
      issuer: data.issuer,
      authorizationEndpoint: data.authorization_endpoint,
      tokenEndpoint: data.token_endpoint,
      userInfoEndpoint: data.userinfo_endpoint ?? "",
      endSessionEndpoint: data.end_session_endpoint ?? "",
      scopes: data.scopes_supported ?? [],
      wellKnown,
    };
  };
