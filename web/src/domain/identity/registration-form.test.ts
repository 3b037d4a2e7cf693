import { describe, expect, it } from "vitest";
import {
  EMPTY_REGISTRATION,
  isEmail,
  type Registration,
  RegistrationForm,
  toRequestBody,
  VerifiedRegistrationForm,
} from "./registration-form.ts";

const whole = { ...EMPTY_REGISTRATION, username: " ada ", password: "secret-99", password2: "secret-99" };

const findInvalidFields = (form: typeof RegistrationForm, values: Registration): readonly PropertyKey[] =>
  form.safeParse(values).error?.issues.map(({ path }) => path[0] ?? "") ?? [];

describe("a registration", () => {
  it("requires a name and a password of 8 to 20 characters, twice", () => {
    const check = (changed: Partial<Registration>) => findInvalidFields(RegistrationForm, { ...whole, ...changed });
    expect(check({})).toEqual([]);
    expect(check({ username: " " })).toEqual(["username"]);
    expect(check({ username: "a".repeat(21) })).toEqual(["username"]);
    expect(check({ password: "short" })).toEqual(["password", "password2"]);
    expect(check({ password: "a".repeat(21) })).toEqual(["password", "password2"]);
    expect(check({ password2: "other" })).toEqual(["password2"]);
  });

  it("requires an address and its code where the site verifies addresses", () => {
    expect(findInvalidFields(VerifiedRegistrationForm, whole)).toEqual(["email", "code"]);
    const verified = { ...whole, email: " ada@example.com ", code: "123456" };
    expect(findInvalidFields(VerifiedRegistrationForm, verified)).toEqual([]);
  });

  it("is sent without surrounding blanks", () => {
    expect(toRequestBody({ ...whole, aff: " aB3d " })).toMatchObject({ username: "ada", aff_code: "aB3d" });
  });

  it("accepts a text that looks like an address", () => {
    expect(isEmail("ada@example.com")).toBe(true);
    for (const text of ["", "ada", "ada@", "@example.com", "a b@example.com"]) expect(isEmail(text)).toBe(false);
  });
});
