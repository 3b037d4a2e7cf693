import type { OAuthAuthorize, SecondFactorNeeded } from "@turnpike/contract/api/identity";
import type { LoginBody, SignedInUser } from "@turnpike/contract/api/user";
import { openSession } from "../../lib/account.ts";
import { isSignedInUser } from "../../lib/api-schemas.ts";
import { api, callRaw, type Query } from "../../lib/api-client.ts";
import { type Check, isListOf, isObjectOf, isOneOf, isOptional, isText } from "../../lib/check.ts";

/** How a sign-in went so far. */
export type SignInOutcome = "signed-in" | "second-factor";
/** What a provider's callback was for. */
export type CallbackOutcome = SignInOutcome | "bound";
export type OAuthProvider = "github" | "oidc" | "linuxdo";

const isSecondFactorNeeded = isObjectOf<SecondFactorNeeded>({
  require_2fa: isOneOf(true),
  methods: isListOf(isText),
});
type SignInAnswer = SignedInUser | SecondFactorNeeded;
const isSignInAnswer = (value: unknown): value is SignInAnswer => isSecondFactorNeeded(value) || isSignedInUser(value);

function outcomeOf(answer: SignInAnswer): SignInOutcome {
  if ("require_2fa" in answer) return "second-factor";
  openSession(answer);
  return "signed-in";
}

/** Signs in with a password. `turnstile` is the answer of the check, "" without one. */
export const signInWithPassword = async (body: LoginBody, turnstile: string): Promise<SignInOutcome> =>
  outcomeOf(await api.post("/api/user/login", { body, query: { turnstile }, fits: isSignInAnswer }));

/** The second step of a sign-in: a code of the authenticator, or a recovery code. */
export const signInWithCode = async (code: string): Promise<SignInOutcome> =>
  outcomeOf(await api.post("/api/user/login/2fa", { body: { code }, fits: isSignInAnswer }));

/** Signs in with the code that the site's WeChat account sent. */
export const signInWithWeChat = async (code: string): Promise<SignInOutcome> =>
  outcomeOf(await api.get("/api/oauth/wechat", { query: { code }, fits: isSignInAnswer }));

/** Signs in with what Telegram says of the person. */
export const signInWithTelegram = async (person: Query): Promise<SignInOutcome> =>
  outcomeOf(await api.get("/api/oauth/telegram/login", { query: person, fits: isSignInAnswer }));

/** Where a provider asks whether the person agrees. Whoever is signed in comes back bound, everybody else signed in. */
export async function oauthAddress(provider: OAuthProvider, aff: string | undefined): Promise<string> {
  const fits = isObjectOf<OAuthAuthorize>({ url: isText, state: isText });
  return (await api.get("/api/oauth/authorize", { query: { provider, aff }, fits })).url;
}

type CallbackAnswer = { readonly message?: string | undefined; readonly data: unknown };
const isCallbackAnswer: Check<CallbackAnswer> = (value): value is CallbackAnswer =>
  isObjectOf<{ message: string | undefined }>({ message: isOptional(isText) })(value) &&
  "data" in value &&
  (value.message === "bind" || isSignInAnswer(value.data));

/** Hands what a provider sent back to the server. */
export async function finishOAuth(provider: OAuthProvider, sent: Query): Promise<CallbackOutcome> {
  const answer = await callRaw("GET", `/api/oauth/${provider}`, { query: sent, fits: isCallbackAnswer });
  return isSignInAnswer(answer.data) ? outcomeOf(answer.data) : "bound";
}

/** Starts and ends a sign-in with a passkey; the browser asks the person between the two. */
export async function signInWithPasskey(): Promise<SignInOutcome> {
  const { askForPasskey } = await import("../../lib/passkeys.ts");
  const credential = await askForPasskey();
  return outcomeOf(await api.post("/api/user/passkey/login/finish", { body: { credential }, fits: isSignInAnswer }));
}
