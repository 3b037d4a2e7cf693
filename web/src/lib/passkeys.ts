import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from "@simplewebauthn/browser";
import { api } from "./api-client.ts";
import { type Check, isObjectOf } from "./check.ts";

// What the server says is for the browser, which checks it.
const isOptions = <Options extends object>(value: unknown): value is Options =>
  typeof value === "object" && value !== null && "challenge" in value;
const isBegun = <Options extends object>(): Check<{ options: Options }> =>
  isObjectOf<{ options: Options }>({ options: isOptions<Options> });

/** Asks the person to show a passkey of this site. Throws what the browser throws when they do not. */
export async function askForPasskey(): Promise<AuthenticationResponseJSON> {
  const fits = isBegun<PublicKeyCredentialRequestOptionsJSON>();
  const { options } = await api.post("/api/user/passkey/login/begin", { body: {}, fits });
  return startAuthentication({ optionsJSON: options });
}

/** Asks the person to make a passkey for this site. */
export async function makePasskey(): Promise<RegistrationResponseJSON> {
  const fits = isBegun<PublicKeyCredentialCreationOptionsJSON>();
  const { options } = await api.post("/api/user/passkey/register/begin", { body: {}, fits });
  return startRegistration({ optionsJSON: options });
}

/** Whether the person only thought better of it, which is no failure. */
export const wasCancelled = (error: unknown): boolean =>
  (error instanceof WebAuthnError && error.code === "ERROR_CEREMONY_ABORTED") ||
  (error instanceof Error && (error.name === "NotAllowedError" || error.name === "AbortError"));
