import type { SignedIn } from "@turnpike/proto/auth/v1/identity_service";
import type { AttemptLimits } from "../limits/attempt-limits.ts";
import { ADDRESS_LIMITS } from "../limits/limit-rules.ts";
import type { SignInFinish } from "../sign-in/sign-in-finish.ts";
import type { UserStore } from "../users/user-store.ts";
import type { PasskeyChallenges, Place } from "./passkey-challenges.ts";
import type { PasskeyStore } from "./passkey-store.ts";
import { loadWebauthn, parseCredential, refused, toUserHandle, verifyUse } from "./passkey-verification.ts";

/** Sign-in with a passkey alone: a complete method, because the authenticator verifies the user. */
export function createPasskeySignIn(deps: {
  store: PasskeyStore;
  users: UserStore;
  finish: SignInFinish;
  challenges: PasskeyChallenges;
  limits: AttemptLimits;
  nowSeconds: () => number;
}) {
  const { store, users, finish, challenges, limits, nowSeconds } = deps;
  return {
    /** The options of a sign-in, as JSON; the passkey identifies the user. */
    async beginSignIn(place: Place): Promise<string> {
      await limits.takeFrom(ADDRESS_LIMITS.passkey, place.visitor?.address ?? "");
      const party = await challenges.getParty(place);
      const { generateAuthenticationOptions } = await loadWebauthn();
      const options = await generateAuthenticationOptions({ rpID: party.id, userVerification: "required" });
      await challenges.put("sign-in", place, { challenge: options.challenge, userId: 0 });
      return JSON.stringify(options);
    },
    /** Opens a session for the passkey's user; throws passkey_refused, user_banned, user_deregistered, rate_limited. */
    async finishSignIn(credentialJson: string, place: Place): Promise<SignedIn> {
      await limits.takeFrom(ADDRESS_LIMITS.passkey, place.visitor?.address ?? "");
      const pending = await challenges.take("sign-in", place);
      if (!pending) throw refused("no passkey sign-in is in progress in this browser");
      const credential = parseCredential(credentialJson);
      const passkey = await store.find(credential.id);
      if (!passkey) throw refused("the passkey is unknown");
      const { userHandle } = credential.response;
      const ownHandle = Buffer.from(toUserHandle(passkey.userId)).toString("base64url");
      if (userHandle !== undefined && userHandle !== ownHandle) throw refused("the passkey belongs to another user");
      const { challenge } = pending;
      const info = await verifyUse(credential, passkey, { challenge, party: await challenges.getParty(place) });
      const use = { counter: info.newCounter, backedUp: info.credentialBackedUp, atSeconds: nowSeconds() };
      if (!(await store.recordUse(passkey, use))) throw refused("the passkey was used at the same time");
      const user = await users.findById(passkey.userId);
      if (!user) throw refused("the passkey's user does not exist");
      return finish.open(user, place.visitor);
    },
  };
}
