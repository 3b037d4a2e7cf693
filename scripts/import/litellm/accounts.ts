import { ROLE, USER_STATUS } from "@turnpike/contract/codes";
import { USERNAME_LENGTH_MAX } from "@turnpike/contract/limits";
import { newUser } from "../../../services/auth/src/users/new-user.ts";
import { readUsername, toNameKey } from "../../../services/auth/src/users/user-input.ts";
import type { ReadUser } from "../source/install-reader.ts";
import { formatAmount, toUnits, toUnitsBelow } from "./dollars.ts";
import type { Owner } from "./owners.ts";
import { readTime } from "./postgres-values.ts";

const NAME_OF_UNOWNED = "litellm-keys";
const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** A text as a user's name: its first 20 visible characters. */
function toName(text: string): string | undefined {
  const visible = text.normalize("NFC").replace(/\p{C}/gu, "").trim();
  return readUsername(Array.from(visible).slice(0, USERNAME_LENGTH_MAX).join(""));
}

export function readNames({ kind, id, row }: Owner): { readonly full: string; readonly email: string } {
  if (kind === "none") return { full: NAME_OF_UNOWNED, email: "" };
  if (kind === "team") return { full: row["team_alias"]?.trim() || id, email: "" };
  const email = row["user_email"]?.trim() ?? "";
  const known = EMAIL.test(email) ? email : "";
  return { full: row["user_alias"]?.trim() || known.split("@")[0] || id, email: known };
}

export type AccountRules = {
  readonly quotaPerUnit: number;
  /** What an account without a budget starts with, in quota units. */
  readonly openingQuota: number;
  readonly nowSeconds: number;
  /** Whether the owner's only key carries its budget. */
  readonly isCarried: (owner: Owner) => boolean;
};

/** What an owner starts with: what is left of its budget, else the opening balance if it has keys. */
function getQuota(owner: Owner, { quotaPerUnit, openingQuota, isCarried }: AccountRules): number {
  const { max, spent } = owner.budget;
  if (max === undefined || isCarried(owner)) return owner.keys > 0 ? openingQuota : 0;
  return toUnitsBelow(max - spent, quotaPerUnit);
}

/** Whether an owner needs an opening balance. */
export const needsOpening = (owner: Owner, isCarried: AccountRules["isCarried"]): boolean =>
  owner.keys > 0 && (owner.budget.max === undefined || isCarried(owner));

/**
 * The account of an owner; `index` makes its invitation code its own. No user can sign in to a team's account until an
 * administrator gives it a password.
 */
export function readAccount(owner: Owner, index: number, rules: AccountRules): ReadUser {
  const { full, email } = readNames(owner);
  const username = toName(full) ?? "litellm";
  const role = owner.row["user_role"] === "proxy_admin" ? ROLE.admin : ROLE.user;
  const about = { username, displayName: username, passwordHash: "", mustChangePassword: false, role };
  const { _id, ...doc } = newUser(index, about, readTime(owner.row["created_at"]) ?? rules.nowSeconds);
  return {
    sourceId: owner.sourceId,
    inviterSourceId: 0,
    accessToken: "",
    webhookSecret: "",
    quota: getQuota(owner, rules),
    used: toUnits(owner.used, rules.quotaPerUnit),
    requestCount: 0,
    doc: {
      ...doc,
      email,
      emailLower: toNameKey(email),
      status: owner.isBlocked ? USER_STATUS.banned : USER_STATUS.active,
    },
  };
}

/** What an operator must know about an owner's budget and name; none for most owners. */
export function describeOwner(owner: Owner, user: ReadUser, rules: AccountRules): string[] {
  const { full } = readNames(owner);
  const name = `${owner.kind === "team" ? "team" : "user"} ${full}`;
  const { max, duration } = owner.budget;
  const isLost = max !== undefined && duration !== "" && !rules.isCarried(owner);
  return [
    ...(user.doc.username === full ? [] : [`${name}: the name is too long here, so it is ${user.doc.username}`]),
    ...(isLost
      ? [
          `${name}: the budget of $${formatAmount(max)} does not reset here every ${duration}; the account has what is left of it, top it up or give each key a budget`,
        ]
      : []),
  ];
}
