import { randomBytes, randomInt } from "node:crypto";
import { dropInvisible } from "@turnpike/contract/texts/typed-text";
import { Secret, TOTP } from "otpauth";

const PERIOD_SECONDS = 30;
/** Codes of the previous and next step are accepted too, to tolerate clock skew. */
const WINDOW = 1;
const SECRET_BYTES = 20;
const RECOVERY_COUNT = 10;
const RECOVERY_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const RECOVERY_PART = 5;

const createTotp = (secret: string): TOTP =>
  new TOTP({ secret: Secret.fromBase32(secret), algorithm: "SHA1", digits: 6, period: PERIOD_SECONDS });

/** A new secret in Base32, as authenticators accept it. */
export const newTotpSecret = (): string =>
  new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32;

/** The address that authenticators read from a QR code. */
export const otpauthUrl = (secret: string, about: { issuer: string; username: string }): string =>
  new TOTP({
    secret: Secret.fromBase32(secret),
    issuer: about.issuer,
    label: about.username,
    algorithm: "SHA1",
    digits: 6,
    period: PERIOD_SECONDS,
  }).toString();

/** The time step of a code; undefined when the code is not currently valid. */
export function findTotpStep(secret: string, code: string, nowMs: number): number | undefined {
  const token = dropInvisible(code);
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = createTotp(secret).validate({ token, timestamp: nowMs, window: WINDOW });
  return delta === null ? undefined : Math.floor(nowMs / 1000 / PERIOD_SECONDS) + delta;
}

const recoveryPart = (): string =>
  Array.from({ length: RECOVERY_PART }, () => RECOVERY_ALPHABET[randomInt(RECOVERY_ALPHABET.length)]).join("");

/** Codes for a lost authenticator; each has 49 bits of entropy. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_COUNT }, () => `${recoveryPart()}-${recoveryPart()}`);

/** Normalizes a typed recovery code; undefined when it cannot be one. */
export function readRecoveryCode(typed: string): string | undefined {
  const plain = dropInvisible(typed).toLowerCase().replaceAll(/[\s-]/g, "");
  return /^[a-z2-9]{10}$/.test(plain) ? `${plain.slice(0, RECOVERY_PART)}-${plain.slice(RECOVERY_PART)}` : undefined;
}
