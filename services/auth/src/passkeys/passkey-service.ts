import type { Visitor } from "@turnpike/proto/auth/v1/auth_service";
import type { SignedIn } from "@turnpike/proto/auth/v1/identity_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Actor } from "@turnpike/shared/grpc/context";
import { z } from "zod";
import type { TicketKind, TicketStore } from "../codes/ticket-store.ts";
import type { AttemptLimits } from "../limits/attempt-limits.ts";
import { ADDRESS_LIMITS } from "../limits/limit-rules.ts";
import { countSignInMethods } from "../oauth/bindings.ts";
import type { OptionReader } from "../options/option-reader.ts";
import type { SignInFinish } from "../sign-in/sign-in-finish.ts";
import type { UserStore } from "../users/user-store.ts";
import type { PasskeyDoc } from "./passkey-model.ts";
import type { PasskeyStore } from "./passkey-store.ts";
import { loadWebauthn, parseCredential, refused, verifyNew, verifyUse } from "./passkey-verification.ts";
import { relyingParty } from "./relying-party.ts";

/** The place where a passkey is created or used. */
export type Place = { readonly origin: string; readonly visitor: Visitor | undefined };
export type PasskeyService = ReturnType<typeof createPasskeyService>;

const PASSKEYS_MAX = 20;
const NAME_LENGTH_MAX = 50;
const DEFAULT_NAME = "Passkey";

const ChallengePayload = z.object({ challenge: z.string(), userId: z.int() });
/** A challenge is bound to the requesting browser and single-use. */
const challengeFor = (name: string): TicketKind<z.infer<typeof ChallengePayload>> => ({
  name,
  payload: ChallengePayload,
  lifeSeconds: 300,
});
const REGISTRATION = challengeFor("passkey-registration");
const SIGN_IN = challengeFor("passkey-sign-in");

function parseName(raw: string, fallback?: string): string {
  const name = raw.normalize("NFC").trim() || (fallback ?? "");
  if (name === "" || Array.from(name).length > NAME_LENGTH_MAX || /\p{C}/u.test(name))
    throw new AppError("passkey_name_invalid", "the passkey's name is not valid");
  return name;
}

const getBrowser = (visitor: Visitor | undefined): string => {
  if (!visitor || visitor.browserId === "") throw refused("the browser has no id");
  return visitor.browserId;
};
const toUserHandle = (userId: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(new TextEncoder().encode(String(userId)));

/**
 * Passkeys (WebAuthn): created by signed-in users, and a complete sign-in method because the authenticator verifies the
 * user.
 */
export function createPasskeyService(deps: {
  store: PasskeyStore;
  users: UserStore;
  finish: SignInFinish;
  tickets: TicketStore;
  limits: AttemptLimits;
  options: OptionReader;
  nowSeconds: () => number;
}) {
  const { store, users, finish, tickets, limits, options, nowSeconds } = deps;

  const partyAt = async ({ origin }: Place) => relyingParty(await options.inForce(), origin);
  const checkRoom = async (userId: number): Promise<PasskeyDoc[]> => {
    const known = await store.listOf(userId);
    if (known.length < PASSKEYS_MAX) return known;
    throw new AppError("passkey_limit_reached", "too many passkeys", { params: { max: String(PASSKEYS_MAX) } });
  };
  return {
    countOf: store.countOf,
    list: store.listOf,
    /** The options of a new passkey, as JSON; throws passkey_limit_reached. */
    async beginRegistration({ userId, username }: Actor, place: Place): Promise<string> {
      const known = await checkRoom(userId);
      const party = await partyAt(place);
      const { generateRegistrationOptions } = await loadWebauthn();
      const made = await generateRegistrationOptions({
        rpName: party.name,
        rpID: party.id,
        userName: username,
        userID: toUserHandle(userId),
        attestationType: "none",
        excludeCredentials: known.map(({ _id, transports }) => ({ id: _id, transports })),
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
      });
      await tickets.put(REGISTRATION, getBrowser(place.visitor), { challenge: made.challenge, userId });
      return JSON.stringify(made);
    },
    /** Stores the passkey the browser created; throws passkey_refused, passkey_limit_reached, passkey_name_invalid. */
    async finishRegistration(
      { userId }: Actor,
      sent: { readonly credentialJson: string; readonly name: string },
      place: Place,
    ): Promise<PasskeyDoc> {
      const name = parseName(sent.name, DEFAULT_NAME);
      const waiting = await tickets.take(REGISTRATION, getBrowser(place.visitor));
      if (!waiting || waiting.userId !== userId) throw refused("no passkey is being made in this browser");
      await checkRoom(userId);
      const { challenge } = waiting;
      const info = await verifyNew(parseCredential(sent.credentialJson), { challenge, party: await partyAt(place) });
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
    /** The options of a sign-in, as JSON; the passkey identifies the user. */
    async beginSignIn(place: Place): Promise<string> {
      await limits.takeFrom(ADDRESS_LIMITS.passkey, place.visitor?.address ?? "");
      const party = await partyAt(place);
      const { generateAuthenticationOptions } = await loadWebauthn();
      const made = await generateAuthenticationOptions({ rpID: party.id, userVerification: "required" });
      await tickets.put(SIGN_IN, getBrowser(place.visitor), { challenge: made.challenge, userId: 0 });
      return JSON.stringify(made);
    },
    /** Opens a session for the passkey's user; throws passkey_refused, user_banned, user_deregistered, rate_limited. */
    async finishSignIn(credentialJson: string, place: Place): Promise<SignedIn> {
      await limits.takeFrom(ADDRESS_LIMITS.passkey, place.visitor?.address ?? "");
      const waiting = await tickets.take(SIGN_IN, getBrowser(place.visitor));
      if (!waiting) throw refused("no sign-in was begun in this browser");
      const credential = parseCredential(credentialJson);
      const passkey = await store.find(credential.id);
      if (!passkey) throw refused("the passkey is not known");
      const { userHandle } = credential.response;
      const ownHandle = Buffer.from(toUserHandle(passkey.userId)).toString("base64url");
      if (userHandle !== undefined && userHandle !== ownHandle) throw refused("the passkey is somebody else's");
      const { challenge } = waiting;
      const info = await verifyUse(credential, passkey, { challenge, party: await partyAt(place) });
      const use = { counter: info.newCounter, backedUp: info.credentialBackedUp, atSeconds: nowSeconds() };
      if (!(await store.noteUse(passkey, use))) throw refused("the passkey was used at the same time");
      const user = await users.findById(passkey.userId);
      if (!user) throw refused("the passkey's owner is gone");
      return finish.open(user, place.visitor);
    },
    /** Throws passkey_not_found, passkey_name_invalid. */
    async rename(userId: number, id: string, rawName: string): Promise<PasskeyDoc> {
      const renamed = await store.rename(userId, id, parseName(rawName));
      if (!renamed) throw new AppError("passkey_not_found", "no such passkey");
      return renamed;
    },
    /** Throws passkey_not_found, last_sign_in_method. */
    async remove(userId: number, id: string): Promise<void> {
      const user = await users.findById(userId);
      const isLast = (await store.countOf(userId)) === 1 && user !== undefined && countSignInMethods(user) === 0;
      if (isLast && (await store.find(id))?.userId === userId)
        throw new AppError("last_sign_in_method", "nothing else lets them in");
      if (!(await store.remove(userId, id))) throw new AppError("passkey_not_found", "no such passkey");
    },
  };
}
