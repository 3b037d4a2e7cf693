import { BINDING_TYPES } from "@turnpike/contract/api/identity";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Actor } from "@turnpike/shared/grpc/context";
import type { EmailCodes } from "../registration/email-codes.ts";
import { checkEmailAllowed, parseEmail } from "../registration/email-rules.ts";
import type { OptionReader } from "../options/option-reader.ts";
import type { UserChanges } from "../sessions/user-changes.ts";
import { toNameKey } from "../users/user-input.ts";
import type { UserDoc } from "../users/user-model.ts";
import type { UserStore, UserWrite } from "../users/user-store.ts";

type BindingType = (typeof BINDING_TYPES)[number];
type BindingField = "githubId" | "oidcId" | "linuxDoId" | "wechatId" | "telegramId" | "email";
export type Bindings = ReturnType<typeof createBindings>;

const FIELDS: Readonly<Record<BindingType, BindingField>> = {
  github: "githubId",
  oidc: "oidcId",
  linuxdo: "linuxDoId",
  wechat: "wechatId",
  telegram: "telegramId",
  email: "email",
};
const ALL_FIELDS = Object.values(FIELDS);

function parseType(type: string): BindingType {
  const known = BINDING_TYPES.find((candidate) => candidate === type);
  if (known) return known;
  throw new AppError("binding_type_unknown", "no such binding", { params: { type } });
}

/**
 * The number of a user's sign-in methods besides passkeys: a password, linked accounts, an e-mail address for a reset.
 */
export const countSignInMethods = (user: UserDoc): number =>
  (user.passwordHash === "" ? 0 : 1) + ALL_FIELDS.filter((field) => user[field] !== "").length;

/** Linking and unlinking of e-mail addresses and third-party accounts by their user. */
export function createBindings(deps: {
  users: UserStore;
  changes: UserChanges;
  emailCodes: EmailCodes;
  options: OptionReader;
  countPasskeys: (userId: number) => Promise<number>;
}) {
  const { users, changes, emailCodes, options, countPasskeys } = deps;
  return {
    /**
     * Links an address to the actor; throws email_invalid, email_domain_not_allowed, email_taken,
     * verification_code_wrong.
     */
    async bindEmail(actor: Actor, rawEmail: string, code: string): Promise<void> {
      const email = parseEmail(rawEmail);
      checkEmailAllowed(email, await options.inForce());
      const owner = await users.findByEmail(toNameKey(email));
      if (owner && owner._id !== actor.userId) throw new AppError("email_taken", "the address is in use");
      await emailCodes.take(email, code, actor.address);
      await changes.apply({ id: actor.userId, plan: () => ({ set: { email, emailLower: toNameKey(email) } }) });
    },
    /** Removes a binding; throws binding_type_unknown, not_bound, last_sign_in_method. */
    async unbind(userId: number, rawType: string): Promise<void> {
      const field = FIELDS[parseType(rawType)];
      const passkeys = await countPasskeys(userId);
      const plan = (target: UserDoc): UserWrite => {
        if (target[field] === "") throw new AppError("not_bound", `${field} is not bound`);
        if (countSignInMethods(target) + passkeys <= 1)
          throw new AppError("last_sign_in_method", "nothing else lets them in");
        return { set: field === "email" ? { email: "", emailLower: "" } : { [field]: "" } };
      };
      await changes.apply({ id: userId, plan });
    },
  };
}
