import { z } from "zod/mini";
import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from "@simplewebauthn/browser";
import { api } from "../api/api-client.ts";

// The browser validates the options.
const toOptionsSchema = <Options extends object>() =>
  z.object({
    options: z.custom<Options>((value) => typeof value === "object" && value !== null && "challenge" in value),
  });

/** Prompts the user to present a passkey of this site. Throws the browser's error otherwise. */
export async function requestPasskey(): Promise<AuthenticationResponseJSON> {
  const schema = toOptionsSchema<PublicKeyCredentialRequestOptionsJSON>();
  const { options } = await api.post("/api/user/passkey/login/begin", { body: {}, schema });
  return startAuthentication({ optionsJSON: options });
}

/** Prompts the user to create a passkey for this site. */
export async function makePasskey(): Promise<RegistrationResponseJSON> {
  const schema = toOptionsSchema<PublicKeyCredentialCreationOptionsJSON>();
  const { options } = await api.post("/api/user/passkey/register/begin", { body: {}, schema });
  return startRegistration({ optionsJSON: options });
}

/** Whether the user cancelled, which is not a failure. */
export const wasCancelled = (error: unknown): boolean =>
  (error instanceof WebAuthnError && error.code === "ERROR_CEREMONY_ABORTED") ||
  (error instanceof Error && (error.name === "NotAllowedError" || error.name === "AbortError"));
