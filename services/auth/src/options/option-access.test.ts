import { type OptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import { describe, expect, it } from "vitest";
import { isGuarded, mayUse, parseOptionKey } from "./option-access.ts";

describe("who may use an option", () => {
  it.each([
    ["SystemName", 10, true, true],
    ["SMTPServer", 10, false, true],
    ["SMTPServer", 10, true, false],
    ["SMTPServer", 100, true, true],
    ["SystemName", 1, false, false],
    ["SecretOptionsRootOnly", 10, true, false],
    ["oidc.enabled", 10, true, false],
    ["PasswordLoginEnabled", 10, true, false],
    ["TopupGroupRatio", 10, true, false],
    ["ModelRatio", 10, true, true],
  ] as const)("%s for role %i with the switch %s: %s", (key, role, isRootOnly, expected) => {
    expect(mayUse(key, role, isRootOnly)).toBe(expected);
  });

  it("guards every secret", () => {
    const secrets = Object.entries(OPTIONS).filter(([, definition]) => "secret" in definition);
    expect(secrets.length).toBeGreaterThan(0);
    expect(secrets.filter(([key]) => !isGuarded(key as OptionKey))).toEqual([]);
  });

  it("refuses a name that is not in the registry, inherited ones too", () => {
    expect(() => parseOptionKey("constructor")).toThrow(expect.objectContaining({ code: "option_unknown" }));
  });
});
