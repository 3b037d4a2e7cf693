import { AppError } from "@turnpike/shared/errors/app-error";
import type { Actor } from "@turnpike/shared/grpc/context";
import type { PasskeyChallenges, Place } from "./passkey-challenges.ts";
import type { PasskeyDoc } from "./passkey-model.ts";
import type { PasskeyStore } from "./passkey-store.ts";
import { loadWebauthn, parseCredential, refused, toUserHandle, verifyNew } from "./passkey-verification.ts";

const PASSKEYS_MAX = 20;
const NAME_LENGTH_MAX = 50;
const DEFAULT_NAME = "Passkey";

/** Parses a passkey's name; throws passkey_name_invalid. */
export function parsePasskeyName(raw: string, fallback?: string): string {
  const name = raw.normalize("NFC").trim() || (fallback ?? "");
  if (name === "" || Array.from(name).length > NAME_LENGTH_MAX || /\p{C}/u.test(name))
    throw new AppError("passkey_name_invalid", "the passkey's name is not valid");
  return name;
}

/** Creates passkeys of signed-in users. */
export function createPasskeyRegistration(deps: {
  store: PasskeyStore;
  challenges: PasskeyChallenges;
  nowSeconds: () => number;
}) {
  const { store, challenges, nowSeconds } = deps;

  const checkRoom = async (userId: number): Promise<PasskeyDoc[]> => {
    const known = await store.list(userId);
    if (known.length < PASSKEYS_MAX) return known;
    throw new AppError("passkey_limit_reached", "too many passkeys", { params: { max: String(PASSKEYS_MAX) } });
  };
  return {
    /** The options of a new passkey, as JSON; throws passkey_limit_reached. */
    async beginRegistration({ userId, username }: Actor, place: Place): Promise<string> {
      const known = await checkRoom(userId);
      const party = await challenges.getParty(place);
      const { generateRegistrationOptions } = await loadWebauthn();
      const options = await generateRegistrationOptions({
        rpName: party.name,
        rpID: party.id,
        userName: username,
        userID: toUserHandle(userId),
        attestationType: "none",
        excludeCredentials: known.map(({ _id, transports }) => ({ id: _id, transports })),
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
      });
      await challenges.put("registration", place, { challenge: options.challenge, userId });
      return JSON.stringify(options);
    },
    /** Stores the passkey the browser created; throws passkey_refused, passkey_limit_reached, passkey_name_invalid. */
    async finishRegistration(
      { userId }: Actor,
      sent: { readonly credentialJson: string; readonly name: string },
      place: Place,
    ): Promise<PasskeyDoc> {
      const name = parsePasskeyName(sent.name, DEFAULT_NAME);
      const pending = await challenges.take("registration", place);
      if (!pending || pending.userId !== userId)
        throw refused("no passkey registration is in progress in this browser");
      await checkRoom(userId);
      const { challenge } = pending;
      const info = await verifyNew(parseCredential(sent.credentialJson), {
        challenge,
        party: await challenges.getParty(place),
      });
      const doc: PasskeyDoc = {
        _id: info.credential.id,
        userId,
        name,
        publicKey: Buffer.from(info.credential.publicKey).toString("base64url"),
        counter: info.credential.counter,
        transports: [...(info.credential.transports ?? [])],
        backedUp: info.credentialBackedUp,
        createdAtSeconds: nowSeconds(),
        lastUsedAtSeconds: 0,
      };
      await store.insert(doc);
      return doc;
    },
  };
}
