import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import { z } from "zod";
import type { SecretReader } from "../options/secret-reader.ts";
import type { IdentityField } from "../users/user-store.ts";

/** A user's identity at a third party. */
export type Identity = {
  /** The user's id at the third party, which is never reassigned. */
  readonly id: string;
  readonly displayName: string;
  /** The preferred user name; it may be taken or invalid here. */
  readonly username: string | undefined;
  /** Set only when the third party has verified the address. */
  readonly email: string | undefined;
};
/** What is stored between redirect and callback. */
export type Journey = {
  readonly verifier: string | undefined;
  readonly nonce: string | undefined;
  readonly redirectUri: string;
};
/** What a provider needs for one sign-in. */
export type ProviderContext = {
  readonly options: OptionsInForce;
  readonly readSecret: SecretReader;
  readonly fetch: PrivateAddressGuard["fetch"];
};
/** A third party for sign-in: builds the redirect and identifies the user on callback. */
export type Provider = {
  /** Display name for messages. */
  readonly title: string;
  readonly field: IdentityField;
  readonly usernamePrefix: string;
  /** Whether it can report verified addresses: the list of domains then decides who may register through it. */
  readonly reportsEmail: boolean;
  readonly isEnabled: (options: OptionsInForce) => boolean;
  /** The provider address to redirect the browser to. */
  readonly authorizeUrl: (
    context: ProviderContext,
    way: { readonly state: string; readonly challenge: string; readonly nonce: string; readonly redirectUri: string },
  ) => Promise<string>;
  /** Throws oauth_code_refused, oauth_response_invalid or oauth_provider_unreachable. */
  readonly identify: (
    context: ProviderContext,
    back: { readonly params: Readonly<Record<string, string>>; readonly state: string; readonly journey: Journey },
  ) => Promise<Identity>;
};
/** The third party an identity belongs to. */
export type IdentityKind = Pick<Provider, "title" | "field" | "usernamePrefix" | "reportsEmail">;

export const refused = (provider: string, reason: string, cause?: unknown): AppError =>
  new AppError("oauth_code_refused", `${provider}: ${reason}`, { params: { provider }, cause });
/** The response breaks a rule that a repetition does not change: `detail` names the rule, for the administrator. */
export const unusable = (provider: string, detail: string, cause?: unknown): AppError =>
  new AppError("oauth_response_invalid", `${provider}: ${detail}`, { params: { provider, detail }, cause });
export const unreachable = (provider: string, cause?: unknown): AppError =>
  new AppError("oauth_provider_unreachable", `${provider} did not respond`, { params: { provider }, cause });

/**
 * Calls a third party's API and expects JSON of the given shape; any failure is oauth_provider_unreachable or
 * oauth_code_refused.
 */
export async function callProvider<Body>(
  call: { readonly provider: string; readonly fetch: PrivateAddressGuard["fetch"]; readonly shape: z.ZodType<Body> },
  url: string,
  init: Parameters<PrivateAddressGuard["fetch"]>[1],
): Promise<Body> {
  const { provider } = call;
  let status = 0;
  let body: unknown;
  try {
    const response = await call.fetch(url, init);
    status = response.status;
    body = await response.json();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw status >= 400 && status < 500 ? refused(provider, `status ${status}`) : unreachable(provider, error);
  }
  if (status >= 500) throw unreachable(provider);
  const result = call.shape.safeParse(body);
  if (status >= 300 || !result.success) throw refused(provider, `status ${status}, or a response of another shape`);
  return result.data;
}

/** Exchanges a code for an access token by the plain OAuth 2 request. */
export async function exchangeCode(
  call: { readonly provider: string; readonly fetch: PrivateAddressGuard["fetch"] },
  url: string,
  init: { readonly body: URLSearchParams; readonly headers?: Readonly<Record<string, string>> },
): Promise<string> {
  const headers = { accept: "application/json", ...init.headers };
  const shape = z.object({ access_token: z.string().min(1) });
  return (await callProvider({ ...call, shape }, url, { method: "POST", body: init.body, headers })).access_token;
}
