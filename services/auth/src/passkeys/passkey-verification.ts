import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { AppError } from "@turnpike/shared/errors/app-error";
import { z } from "zod";
import type { PasskeyDoc } from "./passkey-model.ts";
import type { RelyingParty } from "./relying-party.ts";

/** The WebAuthn library, loaded at its first use: it takes a fifth of the start, and not every install has passkeys. */
export const loadWebauthn = () => import("@simplewebauthn/server");

/** The expected challenge, origin and relying party of a credential. */
export type Expected = { readonly challenge: string; readonly party: RelyingParty };

/** The fields read before the library checks everything else. */
const Credential = z.looseObject({ id: z.string(), response: z.looseObject({ userHandle: z.string().optional() }) });
export type Credential = z.infer<typeof Credential>;

export const refused = (reason: string, cause?: unknown): AppError =>
  new AppError("passkey_refused", reason, { cause });

/** The user handle of a passkey: the user's id. */
export const toUserHandle = (userId: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(new TextEncoder().encode(String(userId)));

/** Parses the browser's WebAuthn JSON; throws passkey_refused. */
export function parseCredential(json: string): Credential {
  try {
    return Credential.parse(JSON.parse(json));
  } catch (error) {
    throw refused("not a credential", error);
  }
}

/**
 * Verifies a new passkey and returns what to store; throws passkey_refused for another origin, another challenge or an
 * unverified user.
 */
export async function verifyNew(credential: Credential, { challenge, party }: Expected) {
  try {
    const { verifyRegistrationResponse } = await loadWebauthn();
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      // The library checks the shape.
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

/**
 * Verifies a use of a passkey; throws passkey_refused for a wrong signature, origin, challenge or counter, or an
 * unverified user.
 */
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
