import { AppError } from "@turnpike/shared/errors/app-error";
import type { TicketStore } from "../codes/ticket-store.ts";
import type { AttemptLimits } from "../limits/attempt-limits.ts";
import { countSignInMethods } from "../oauth/bindings.ts";
import type { OptionReader } from "../options/option-reader.ts";
import type { SignInFinish } from "../sign-in/sign-in-finish.ts";
import type { UserStore } from "../users/user-store.ts";
import { createPasskeyChallenges } from "./passkey-challenges.ts";
import type { PasskeyDoc } from "./passkey-model.ts";
import { createPasskeyRegistration, parsePasskeyName } from "./passkey-registration.ts";
import { createPasskeySignIn } from "./passkey-sign-in.ts";
import type { PasskeyStore } from "./passkey-store.ts";

export type PasskeyService = ReturnType<typeof createPasskeyService>;

/** Passkeys (WebAuthn): their registration, sign-in with them, and the list of a user's. */
export function createPasskeyService(deps: {
  store: PasskeyStore;
  users: UserStore;
  finish: SignInFinish;
  tickets: TicketStore;
  limits: AttemptLimits;
  options: OptionReader;
  nowSeconds: () => number;
}) {
  const { store, users } = deps;
  const challenges = createPasskeyChallenges(deps);
  return {
    ...createPasskeyRegistration({ ...deps, challenges }),
    ...createPasskeySignIn({ ...deps, challenges }),
    count: store.count,
    list: store.list,
    /** Throws passkey_not_found, passkey_name_invalid. */
    async rename(userId: number, id: string, rawName: string): Promise<PasskeyDoc> {
      const renamed = await store.rename(userId, id, parsePasskeyName(rawName));
      if (!renamed) throw new AppError("passkey_not_found", "no such passkey");
      return renamed;
    },
    /** Throws passkey_not_found, last_sign_in_method. */
    async remove(userId: number, id: string): Promise<void> {
      const user = await users.findById(userId);
      const isLast = (await store.count(userId)) === 1 && user !== undefined && countSignInMethods(user) === 0;
      if (isLast && (await store.find(id))?.userId === userId)
        throw new AppError("last_sign_in_method", "the user has no other sign-in method");
      if (!(await store.remove(userId, id))) throw new AppError("passkey_not_found", "no such passkey");
    },
  };
}
