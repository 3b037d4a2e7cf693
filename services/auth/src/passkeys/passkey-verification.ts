import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { AppError } from "@turnpike/shared/errors/app-error";
import { z } from "zod";
import type { PasskeyDoc } from "./passkey-model.ts";
import type { RelyingParty } from "./relying-party.ts";

/** The WebAuthn library, loaded at its first use: it takes a fifth of the start, and not every install has passkeys. */
export const loadWebauthn = () => import("@simplewebauthn/server");

/** What a credential must answer, and for whom. */
export type Expected = { readonly challenge: string; readonly party: RelyingParty };

/** What we read before the library checks the rest. */
const Credential = z.looseObject({ id: z.string(), response: z.looseObject({ userHandle: z.string().optional() }) });
export type Credential = z.infer<typeof Credential>;

export const refused = (reason: string, cause?: unknown): AppError =>
  new AppError("passkey_refused", reason, { cause });

/** What the browser's WebAuthn made, from JSON; throws passkey_refused. */
export function parseCredential(json: string): Credential {
  try {
    return Credential.parse(JSON.parse(json));
  } catch (error) {
    throw refused("not a credential", error);
  }
}

/** What is to be kept of a new passkey; throws passkey_refused when it was made for another place, challenge, or unverified. */
export async function verifyNew(credential: Credential, { challenge, party }: Expected) {
  try {
    const { verifyRegistrationResponse } = await loadWebauthn();
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      // The library checks its shape.
      response: credential as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    });
    if (verified) return registrationInfo;
  } catch (error) {
    throw refused("the new credential does not verify", error);
  }
  throw refused("the new credential does not verify");
}

/** What a use tells; throws passkey_refused for a wrong signature, place, challenge, count, or an unverified person. */
export async function verifyUse(credential: Credential, passkey: PasskeyDoc, { challenge, party }: Expected) {
  try {
    const { verifyAuthenticationResponse } = await loadWebauthn();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: credential as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: passkey._id,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
        counter: passkey.counter,
      },
    });
    if (verified) return authenticationInfo;
  } catch (error) {
    throw refused("the signature does not verify", error);
  }
  throw refused("the signature does not verify");
}
