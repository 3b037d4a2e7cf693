import { Secret, TOTP } from "otpauth";
import { describe, expect, it } from "vitest";
import { newRecoveryCodes, newTotpSecret, otpauthUrl, readRecoveryCode, findTotpStep } from "./totp.ts";

/** RFC 6238, appendix B: the ASCII secret 12345678901234567890. */
const RFC_SECRET = Secret.fromUTF8("12345678901234567890").base32;

describe("authenticator code", () => {
  it.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
  ])("matches the standard at %d s", (seconds, code) =>
    expect(findTotpStep(RFC_SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30)),
  );

  it("is accepted one step early or late, and names its own step", () => {
    const secret = newTotpSecret();
    const nowMs = 1_700_000_010_000;
    const at = (steps: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: nowMs + steps * 30_000 });
    const now = Math.floor(nowMs / 30_000);
    expect([-2, -1, 0, 1, 2].map((steps) => findTotpStep(secret, at(steps), nowMs))).toEqual([
      undefined,
      now - 1,
      now,
      now + 1,
      undefined,
    ]);
  });

  it.each(["", "12345", "1234567", "abcdef", "12345６", " 123456", "-12345"])("is refused in the form %j", (code) =>
    expect(findTotpStep(RFC_SECRET, code, 0)).toBeUndefined(),
  );

  it("is accepted with the invisible characters that copied text carries", () => {
    const secret = newTotpSecret();
    const nowMs = 1_700_000_000_000;
    const token = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: nowMs });
    expect(findTotpStep(secret, `\u200B${token}\uFEFF`, nowMs)).toBe(Math.floor(nowMs / 30_000));
  });

  it("uses a 160-bit secret with an address that authenticators can read", () => {
    const secret = newTotpSecret();
    expect(Secret.fromBase32(secret).bytes).toHaveLength(20);
    const url = new URL(otpauthUrl(secret, { issuer: "My: Site", username: "阿达@example.com" }));
    expect(url.protocol + url.host).toBe("otpauth:totp");
    expect(url.searchParams.get("secret")).toBe(secret);
    expect(url.searchParams.get("issuer")).toBe("My: Site");
  });
});

describe("recovery code", () => {
  it("is one of ten different ones, and accepted in any typed form", () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) {
      expect(readRecoveryCode(code)).toBe(code);
      expect(readRecoveryCode(`\u200B${code}\u2060`)).toBe(code);
      expect(readRecoveryCode(` ${code.toUpperCase().replace("-", " ")} `)).toBe(code);
    }
    expect(["123456", "", "aaaaa-aaaa", "aaaaa_aaaaa"].map(readRecoveryCode)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
