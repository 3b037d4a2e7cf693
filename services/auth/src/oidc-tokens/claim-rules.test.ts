import { describe, expect, it } from "vitest";
import { mapClaims, readClaim } from "./claim-rules.ts";

const CLAIMS = {
  sub: "system:serviceaccount:shop:builder",
  groups: ["dev", "ops"],
  admin: false,
  level: 2,
  "kubernetes.io": { namespace: "shop", "a/b": { "~c": "deep" } },
};
const rule = (claims: Record<string, string | number | boolean | string[]>) => ({ claims, user: "shop", token: "ci" });
const isMatched = (claims: Parameters<typeof rule>[0]): boolean =>
  typeof mapClaims({ rules: [rule(claims)] }, CLAIMS) !== "string";

describe("claims", () => {
  it("are read by name, and nested ones by a JSON Pointer", () => {
    expect(readClaim(CLAIMS, "sub")).toBe("system:serviceaccount:shop:builder");
    expect(readClaim(CLAIMS, "/kubernetes.io/namespace")).toBe("shop");
    expect(readClaim(CLAIMS, "/kubernetes.io/a~1b/~0c")).toBe("deep");
    for (const name of ["missing", "/kubernetes.io/missing/x", "/sub/length", "constructor", "/__proto__"])
      expect(readClaim(CLAIMS, name)).toBeUndefined();
  });
});

describe("rules", () => {
  it.each([
    [{ sub: "system:serviceaccount:shop:builder" }, true],
    [{ sub: ["other", "system:serviceaccount:shop:builder"] }, true],
    [{ sub: "system:serviceaccount:shop" }, false],
    [{ groups: "ops" }, true],
    [{ groups: ["qa", "dev"] }, true],
    [{ groups: "qa" }, false],
    [{ admin: false, level: 2 }, true],
    [{ admin: "false" }, false],
    [{ level: "2" }, false],
    [{ missing: "x" }, false],
    [{ "/kubernetes.io/namespace": "shop" }, true],
    [{ sub: "system:serviceaccount:shop:builder", groups: "qa" }, false],
  ])("with the conditions %j match: %s", (claims, expected) => {
    expect(isMatched(claims)).toBe(expected);
  });

  it("apply in their order, and name the user or the claim with the user's name", () => {
    const rules = [
      rule({ groups: "qa" }),
      { claims: { groups: "dev" }, user_claim: "sub", token: "dev" },
      rule({ level: 2 }),
    ];
    expect(mapClaims({ rules }, CLAIMS)).toEqual({ username: CLAIMS.sub, tokenName: "dev" });
    expect(mapClaims({ rules }, { groups: "dev", sub: 7 })).toBe('its claim "sub" is not a user name');
    expect(mapClaims({ rules }, { level: 2 })).toEqual({ username: "shop", tokenName: "ci" });
    expect(mapClaims({ rules: [rule({ sub: "x" })] }, {})).toBe("no rule of its issuer matches its claims");
  });
});
