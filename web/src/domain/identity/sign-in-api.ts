import { OAuthAuthorize, OAuthResult, SignInResult } from "@turnpike/contract/api/identity";
import type { LoginBody } from "@turnpike/contract/api/user";
import { openSession } from "../../lib/session/account.ts";
import { api, callRaw, type Query } from "../../lib/api/api-client.ts";

/** The result of a sign-in step. */
export type SignInOutcome = "signed-in" | "second-factor";
/** The purpose of a provider's callback. */
export type CallbackOutcome = SignInOutcome | "bound";
export type OAuthProvider = "github" | "oidc" | "linuxdo";

function getOutcome(result: SignInResult): SignInOutcome {
  if ("require_2fa" in result) return "second-factor";
  openSession(result);
  return "signed-in";
}

/** Signs in with a password. `turnstile` is the response of the check, "" without one. */
export const signInWithPassword = async (body: LoginBody, turnstile: string): Promise<SignInOutcome> =>
  getOutcome(await api.post("/api/user/login", { body, query: { turnstile }, schema: SignInResult }));

/** The second step of a sign-in: a code of the authenticator, or a recovery code. */
export const signInWithCode = async (code: string): Promise<SignInOutcome> =>
  getOutcome(await api.post("/api/user/login/2fa", { body: { code }, schema: SignInResult }));

/** Signs in with the code that the site's WeChat account sent. */
export const signInWithWeChat = async (code: string): Promise<SignInOutcome> =>
  getOutcome(await api.get("/api/oauth/wechat", { query: { code }, schema: SignInResult }));

/** Signs in with Telegram's data about the user. */
export const signInWithTelegram = async (telegramUser: Query): Promise<SignInOutcome> =>
  getOutcome(await api.get("/api/oauth/telegram/login", { query: telegramUser, schema: SignInResult }));

/** The provider's consent page. A signed-in user returns with the account bound, a visitor signed in. */
export async function oauthAddress(provider: OAuthProvider, aff: string | undefined): Promise<string> {
  return (await api.get("/api/oauth/authorize", { query: { provider, aff }, schema: OAuthAuthorize })).url;
}

/** Passes a provider's callback parameters to the server. */
export async function finishOAuth(provider: OAuthProvider, sent: Query): Promise<CallbackOutcome> {
  const response = await callRaw("GET", `/api/oauth/${provider}`, { query: sent, schema: OAuthResult });
  return response.data === null ? "bound" : getOutcome(response.data);
}

/** Starts and finishes a sign-in with a passkey; between the two calls the browser prompts the user. */
export async function signInWithPasskey(): Promise<SignInOutcome> {
  const { requestPasskey } = await import("../../lib/session/passkeys.ts");
  const credential = await requestPasskey();
  return getOutcome(await api.post("/api/user/passkey/login/finish", { body: { credential }, schema: SignInResult }));
}
