import { describe, expect, it } from "vitest";
import { optionProblemInEnglish } from "./option-problems.ts";
import { checkOptionValue } from "./option-validation.ts";

const RULE = { claims: { sub: "system:serviceaccount:shop:builder" }, user: "shop", token: "builder" };
const ISSUER = { issuer: "https://id.example.com", audiences: ["turnpike"], rules: [RULE] };

const check = (...entries: readonly unknown[]): string | undefined =>
  checkOptionValue("OidcTokenIssuers", JSON.stringify(entries));

describe("OidcTokenIssuers", () => {
  it("accepts issuers with fixed users, users from a claim, and private addresses", () => {
    const byClaim = { claims: { groups: ["dev", "ops"], admin: false, level: 2 }, user_claim: "sub", token: "oidc" };
    const cluster = {
      ...ISSUER,
      issuer: "http://10.0.0.1:8080/realms/a",
      allow_private_address: true,
      ca_certificate: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
      max_age_seconds: 3_600,
      rules: [RULE, byClaim],
    };
    expect(check(ISSUER, cluster)).toBeUndefined();
  });

  it.each([
    [[{ ...ISSUER, issuer: "http://id.example.com" }], "#1.issuer must be an https URL"],
    [[{ ...ISSUER, issuer: "https://id.example.com/?a=1" }], "#1.issuer must be an https URL"],
    [[ISSUER, { ...ISSUER, audiences: [] }], "#2.audiences must not be empty"],
    [[{ ...ISSUER, audiences: undefined }], "#1.audiences must be a list of texts"],
    [[{ ...ISSUER, audience: "turnpike" }], "#1.audience is an unknown field"],
    [[{ ...ISSUER, rules: [] }], "#1.rules must not be empty"],
    [
      [{ ...ISSUER, rules: [RULE, { claims: RULE.claims, token: "t" }] }],
      "#1.rules[1].user : set either user or user_claim",
    ],
    [[{ ...ISSUER, rules: [{ ...RULE, user_claim: "sub" }] }], "#1.rules[0].user : set either user or user_claim"],
    [[{ ...ISSUER, rules: [{ ...RULE, token: "" }] }], "#1.rules[0].token must not be empty"],
    [[{ ...ISSUER, rules: [{ ...RULE, claims: { sub: [] } }] }], "#1.rules[0].claims.sub must not be empty"],
    [[{ ...ISSUER, rules: [{ ...RULE, claims: { sub: {} } }] }], "#1.rules[0].claims.sub must be a text, number"],
    [[{ ...ISSUER, rules: [{ ...RULE, claims: {} }] }], "#1.rules[0].claims must not be empty"],
    [[{ ...ISSUER, rules: [{ ...RULE, claims: undefined }] }], "#1.rules[0].claims must be an object of claims"],
    [[{ ...ISSUER, max_age_seconds: 59 }], "#1.max_age_seconds must be an integer from 60 to 2592000"],
    [[{ ...ISSUER, max_age_seconds: 90.5 }], "#1.max_age_seconds must be an integer from 60 to 2592000"],
    [[{ ...ISSUER, max_age_seconds: 2_592_001 }], "#1.max_age_seconds must be an integer from 60 to 2592000"],
    [[{ ...ISSUER, ca_certificate: "x" }], "#1.ca_certificate must be a certificate"],
    [[{ ...ISSUER, allow_private_address: "yes" }], "#1.allow_private_address must be true or false"],
    [["x"], "#1 must be an object"],
  ])("refuses %j and names the place", (entries, problem) => {
    expect(optionProblemInEnglish(check(...entries) ?? "")).toContain(problem);
  });
});
