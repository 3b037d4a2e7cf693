import { z } from "zod/mini";
import { findShapeProblem, type ShapeProblem } from "../errors/shape-problem.ts";

const ENTRIES_MAX = 50;
const LENGTH_MAX = 1_000;
const CERTIFICATE_LENGTH_MAX = 50_000;
/** How long after its `iat` a token of an issuer is accepted, in seconds, unless the issuer has `max_age_seconds`. */
export const OIDC_TOKEN_AGE_SECONDS = 86_400;
const AGE_SECONDS_MIN = 60;
const AGE_SECONDS_MAX = 2_592_000;

const EMPTY = "不能为空";
const WRONG_AGE = `必须是 ${AGE_SECONDS_MIN} 到 ${AGE_SECONDS_MAX} 的整数`;
const TOO_MANY = `不能超过 ${ENTRIES_MAX} 项`;
const Text = z
  .string("必须是文本")
  .check(z.minLength(1, EMPTY), z.maxLength(LENGTH_MAX, `不能超过 ${LENGTH_MAX} 个字符`));
const Scalar = z.union([Text, z.number(), z.boolean()], "必须是文本、数字、true、false 或它们的列表");
const ClaimValue = z.union([Scalar, z.array(Scalar)], "必须是文本、数字、true、false 或它们的列表");

/** Which tokens of an issuer act as which user, with which of the user's Turnpike tokens. */
const Rule = z
  .strictObject(
    {
      claims: z.record(z.string(), ClaimValue, "必须是声明名称到值的对象"),
      user: z.optional(Text),
      user_claim: z.optional(Text),
      token: Text,
    },
    "必须是对象",
  )
  .check(
    z.superRefine((rule, context) => {
      if ((rule.user === undefined) === (rule.user_claim === undefined))
        context.addIssue({ code: "custom", path: ["user"], message: "user 和 user_claim 必须且只能填写一个" });
      // Without a condition, every holder of a token of the issuer would match: at a public issuer, every one of its users.
      if (Object.keys(rule.claims).length === 0) context.addIssue({ code: "custom", path: ["claims"], message: EMPTY });
      for (const [name, value] of Object.entries(rule.claims))
        if (Array.isArray(value) && value.length === 0)
          context.addIssue({ code: "custom", path: ["claims", name], message: EMPTY });
    }),
  );

const isIssuerUrl = (text: string, mayBePlain: boolean): boolean => {
  if (!URL.canParse(text) || /[?#\s]/.test(text)) return false;
  const { protocol } = new URL(text);
  return protocol === "https:" || (mayBePlain && protocol === "http:");
};

const IssuerShape = z
  .strictObject(
    {
      issuer: Text,
      audiences: z.array(Text, "必须是文本的列表").check(z.minLength(1, EMPTY), z.maxLength(ENTRIES_MAX, TOO_MANY)),
      allow_private_address: z.optional(z.boolean("必须是 true 或 false")),
      ca_certificate: z.optional(
        z
          .string("必须是文本")
          .check(
            z.maxLength(CERTIFICATE_LENGTH_MAX, `不能超过 ${CERTIFICATE_LENGTH_MAX} 个字符`),
            z.regex(/-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----/, "必须是 PEM 格式的证书"),
          ),
      ),
      max_age_seconds: z.optional(
        z.int(WRONG_AGE).check(z.gte(AGE_SECONDS_MIN, WRONG_AGE), z.lte(AGE_SECONDS_MAX, WRONG_AGE)),
      ),
      rules: z.array(Rule, "必须是规则的列表").check(z.minLength(1, EMPTY), z.maxLength(ENTRIES_MAX, TOO_MANY)),
    },
    "必须是对象",
  )
  .check(
    z.superRefine(({ issuer, allow_private_address: isPrivate }, context) => {
      if (!isIssuerUrl(issuer, isPrivate === true))
        context.addIssue({ code: "custom", path: ["issuer"], message: "必须是 https 地址（只有内网地址可以是 http）" });
    }),
  );

/** The value of a claim in a condition: one of them, or a list of which one must be met. */
export type ClaimCondition = z.infer<typeof ClaimValue>;

/**
 * One rule of an issuer: the conditions on claims (at least one; all must be met; a name that begins with `/` is a JSON Pointer), the
 * user by name or by the claim that holds the name, and the name of the user's Turnpike token whose group, limits and
 * quota apply.
 */
export type OidcTokenRule = z.infer<typeof Rule>;

/**
 * An entry of OidcTokenIssuers: an issuer of tokens that the model API accepts in place of keys. `audiences` lists the
 * accepted values of `aud`; `allow_private_address` allows addresses of internal networks, and http; `ca_certificate` is
 * the PEM of the authorities that are trusted instead of the public ones; `max_age_seconds` is how long after its `iat` a
 * token is accepted, even if it expires later; of `rules` the first one that matches applies.
 */
export type OidcTokenIssuer = z.infer<typeof IssuerShape>;

/** What is wrong with an entry of OidcTokenIssuers; undefined for a valid one. */
export const findIssuerProblem = (entry: unknown): ShapeProblem | undefined => findShapeProblem(IssuerShape, entry);
