import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import { describe, expect, it } from "vitest";
import { checkEmailAllowed, parseEmail } from "./email-rules.ts";

const refusal = (code: string) => expect.objectContaining({ code }) as Error;
const options = (values: Record<string, string>) =>
  optionsInForce(Object.entries(values).map(([key, value]) => ({ key, value })));

describe("e-mail address", () => {
  it.each(["ada@example.com", " Ada.Lovelace+x@mail.example.co.uk ", "o'neil_1@a-b.example"])("accepts %s", (email) =>
    expect(parseEmail(email)).toBe(email.trim()),
  );
  it.each([
    "", "ada", "ada@", "@example.com", "ada@example", "a@b@example.com", "ada@example.com;eve@evil.example",
    "ada@example.com,eve@evil.example", "ada@exa mple.com", "ada@example.com\r\nBcc: eve@evil.example", "<ada@example.com>",
    "ада@example.com", "ada@-example.com", "ada@example..com", `${"a".repeat(65)}@example.com`,
  ])("refuses %j", (email) => expect(() => parseEmail(email)).toThrow(refusal("email_invalid"))); // prettier-ignore
});

describe("e-mail address check", () => {
  it("compares the complete domain, in any case", () => {
    const rules = options({ EmailDomainRestrictionEnabled: "true", EmailDomainWhitelist: "Example.com, b.example" });
    expect(() => checkEmailAllowed("ada@EXAMPLE.com", rules)).not.toThrow();
    expect(() => checkEmailAllowed("ada@b.example", rules)).not.toThrow();
    for (const email of ["ada@evil-example.com", "ada@sub.example.com", "ada@example.com.evil.example"])
      expect(() => checkEmailAllowed(email, rules)).toThrow(refusal("email_domain_not_allowed"));
  });
  it("refuses an alias while that option is on", () => {
    const rules = options({ EmailAliasRestrictionEnabled: "true" });
    expect(() => checkEmailAllowed("ada@example.com", rules)).not.toThrow();
    for (const email of ["ada+1@example.com", "a.da@example.com"])
      expect(() => checkEmailAllowed(email, rules)).toThrow(refusal("email_alias_not_allowed"));
  });
  it("accepts every address while both options are off", () => {
    expect(() => checkEmailAllowed("a.da+1@anything.example", options({}))).not.toThrow();
  });
});
