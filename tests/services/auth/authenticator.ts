import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

const sha256 = (data: string | Uint8Array): Buffer => createHash("sha256").update(data).digest();
const base64url = (data: Uint8Array): string => Buffer.from(data).toString("base64url");

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** An authenticator in software: one ES256 passkey, created and used as a browser on `origin` does. */
export function createAuthenticator(origin: string) {
  const rpId = new URL(origin).hostname;
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  let counter = 0;
  let userHandle = "";

  const authenticatorData = (flags: number, extra = Buffer.alloc(0), host = rpId): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(host), Buffer.from([flags]), count, extra]);
  };
  const clientData = (type: string, challenge: string, at: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false }));
  const coseKey = (): Uint8Array => {
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    return isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, "base64url"))],
        [-3, new Uint8Array(Buffer.from(y, "base64url"))],
      ]),
    );
  };
  return {
    id: base64url(id),
    /** Resets the counter, as a cloned key would have it. */
    setCounter: (value: number): void => void (counter = value),
    /** RegistrationResponseJSON for the server's options. */
    register(optionsJson: string, wrong: { origin?: string; isUnverified?: boolean } = {}): string {
      const options = JSON.parse(optionsJson) as { challenge: string; user: { id: string } };
      userHandle = options.user.id;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, coseKey()]);
      const flags = USER_PRESENT | (wrong.isUnverified ? 0 : USER_VERIFIED) | HAS_CREDENTIAL;
      const attestation = isoCBOR.encode(
        new Map<string, string | Uint8Array<ArrayBuffer> | Map<string, string>>([
          ["fmt", "none"],
          ["attStmt", new Map()],
          ["authData", new Uint8Array(authenticatorData(flags, credential))],
        ]),
      );
      return JSON.stringify({
        id: base64url(id),
        rawId: base64url(id),
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(clientData("webauthn.create", options.challenge, wrong.origin ?? origin)),
          attestationObject: base64url(attestation),
          transports: ["internal"],
        },
      });
    },
    /** AuthenticationResponseJSON for the server's options. */
    signIn(
      optionsJson: string,
      wrong: { origin?: string; isUnverified?: boolean; userHandle?: string; rpId?: string } = {},
    ) {
      const { challenge } = JSON.parse(optionsJson) as { challenge: string };
      counter++;
      const flags = USER_PRESENT | (wrong.isUnverified ? 0 : USER_VERIFIED);
      const data = authenticatorData(flags, Buffer.alloc(0), wrong.rpId);
      const client = clientData("webauthn.get", challenge, wrong.origin ?? origin);
      const signature = createSign("sha256")
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey);
      return JSON.stringify({
        id: base64url(id),
        rawId: base64url(id),
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(signature),
          userHandle: wrong.userHandle ?? userHandle,
        },
      });
    },
  };
}
