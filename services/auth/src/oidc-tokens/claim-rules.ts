import type { ClaimCondition, OidcTokenIssuer, OidcTokenRule } from "@turnpike/contract/options/oidc-token-issuers";

export type Claims = Readonly<Record<string, unknown>>;

/** Who a token acts for: the name of a user, and of one of the user's Turnpike tokens. */
export type MappedUser = { readonly username: string; readonly tokenName: string };

/** One step of a JSON Pointer (RFC 6901). */
function step(value: unknown, part: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
  return Object.hasOwn(value, name) ? (value as Claims)[name] : undefined;
}

/** The claim of a name; a name that begins with `/` is a JSON Pointer into nested claims. */
export const readClaim = (claims: Claims, name: string): unknown =>
  name.startsWith("/")
    ? name.slice(1).split("/").reduce<unknown>(step, claims)
    : Object.hasOwn(claims, name)
      ? claims[name]
      : undefined;

/** Whether the claim is one of the expected values, or a list that contains one of them. */
function isMet(condition: ClaimCondition, claim: unknown): boolean {
  const expected: readonly unknown[] = Array.isArray(condition) ? condition : [condition];
  const present: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return present.some((value) => value !== undefined && expected.includes(value));
}

const matches = (rule: OidcTokenRule, claims: Claims): boolean =>
  Object.entries(rule.claims).every(([name, condition]) => isMet(condition, readClaim(claims, name)));

/** The user that verified claims act for, by the first rule that matches; a text with the reason where no rule does. */
export function mapClaims({ rules }: Pick<OidcTokenIssuer, "rules">, claims: Claims): MappedUser | string {
  const rule = rules.find((each) => matches(each, claims));
  if (!rule) return "no rule of its issuer matches its claims";
  const { user, user_claim: claim = "", token } = rule;
  const username = user ?? readClaim(claims, claim);
  if (typeof username === "string" && username !== "") return { username, tokenName: token };
  return `its claim "${claim}" is not a user name`;
}
