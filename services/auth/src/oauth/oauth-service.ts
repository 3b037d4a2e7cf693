import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { Visitor } from "@turnpike/proto/auth/v1/auth_service";
import type { SignedIn } from "@turnpike/proto/auth/v1/identity_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import { findSiteAddress, siteAddressUnknown } from "../options/site-address.ts";
import type { AttemptLimits } from "../limits/attempt-limits.ts";
import { ADDRESS_LIMITS } from "../limits/limit-rules.ts";
import type { OptionReader } from "../options/option-reader.ts";
import type { SecretReader } from "../options/secret-reader.ts";
import type { SessionService } from "../sessions/session-service.ts";
import type { SignInFinish } from "../sign-in/sign-in-finish.ts";
import type { Identities } from "./identities.ts";
import { toCodeChallenge, type OAuthStates } from "./oauth-states.ts";
import type { Provider, ProviderContext } from "./provider.ts";

/** The browser, and the user of its session. */
export type From = { readonly sessionId: string; readonly visitor: Visitor | undefined };
/** What the user selected, and the origin at which the browser sees this site, "" when it is unknown. */
export type Beginning = { readonly provider: string; readonly affCode: string; readonly origin: string };
export type OAuthService = ReturnType<typeof createOAuthService>;

/** The user of a session, 0 for a visitor. */
export async function findSessionUserId(sessions: SessionService, sessionId: string): Promise<number> {
  if (sessionId === "") return 0;
  try {
    return (await sessions.resolve(sessionId))._id;
  } catch (error) {
    if (error instanceof AppError && error.code === "unauthenticated") return 0;
    throw error;
  }
}

/** Signing in and linking through third parties that redirect the browser: github, oidc, linuxdo. */
export function createOAuthService(deps: {
  providers: Readonly<Record<string, Provider>>;
  states: OAuthStates;
  identities: Identities;
  sessions: SessionService;
  finish: SignInFinish;
  limits: AttemptLimits;
  options: OptionReader;
  readSecret: SecretReader;
  fetch: PrivateAddressGuard["fetch"];
}) {
  const { providers, states, identities, sessions, finish, limits, options, readSecret, fetch } = deps;

  const findProvider = (name: string, inForce: OptionsInForce): Provider => {
    const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
    if (provider?.isEnabled(inForce)) return provider;
    throw new AppError("oauth_disabled", `${name} is switched off`, { params: { provider: provider?.title ?? name } });
  };
  const toContext = (inForce: OptionsInForce): ProviderContext => ({ options: inForce, readSecret, fetch });
  const toRedirectUri = (name: string, site: string | undefined): string => {
    if (site === undefined) throw siteAddressUnknown();
    return `${site}/oauth/${name}`;
  };
  return {
    /**
     * A state, and the provider's address when a provider is named; throws oauth_disabled, oauth_provider_unreachable,
     * site_address_unknown, rate_limited.
     */
    async begin(
      { provider: name, affCode, origin }: Beginning,
      { sessionId, visitor }: From,
    ): Promise<{ state: string; url: string }> {
      await limits.takeFrom(ADDRESS_LIMITS.oauthBegin, visitor?.address ?? "");
      const inForce = await options.inForce();
      const provider = name === "" ? undefined : findProvider(name, inForce);
      // A wrong origin harms no other user: the state belongs to this browser, and providers check the address.
      const site = findSiteAddress(inForce) ?? (origin === "" ? undefined : origin);
      const redirectUri = provider ? toRedirectUri(name, site) : "";
      const userId = await findSessionUserId(sessions, sessionId);
      const about = { userId, affCode, provider: name, site };
      const { state, verifier = "", nonce = "" } = await states.make(about, visitor);
      if (!provider) return { state, url: "" };
      const way = { state, nonce, challenge: toCodeChallenge(verifier), redirectUri };
      return { state, url: await provider.authorizeUrl(toContext(inForce), way) };
    },
    /**
     * Handles the callback: the user is signed in, or, when the flow began in a session, the account is linked and
     * undefined returned. Throws oauth_state_invalid, oauth_code_refused, oauth_provider_unreachable,
     * oauth_already_bound, register_disabled, user_banned, user_deregistered, rate_limited.
     */
    async complete(
      name: string,
      back: { readonly state: string; readonly params: Readonly<Record<string, string>> },
      { sessionId, visitor }: From,
    ): Promise<SignedIn | undefined> {
      await limits.takeFrom(ADDRESS_LIMITS.oauthFinish, visitor?.address ?? "");
      const inForce = await options.inForce();
      const provider = findProvider(name, inForce);
      const userId = await findSessionUserId(sessions, sessionId);
      const known = await states.take(back.state, { provider: name, userId, visitor });
      const { verifier, nonce } = known;
      const journey = { verifier, nonce, redirectUri: toRedirectUri(name, known.site ?? findSiteAddress(inForce)) };
      const identity = await provider.identify(toContext(inForce), { ...back, journey });
      if (known.userId !== 0) {
        await identities.bind(known.userId, provider, identity.id);
        return undefined;
      }
      return finish.openOrWait(await identities.findOrRegister(provider, identity, known.affCode), visitor);
    },
  };
}
