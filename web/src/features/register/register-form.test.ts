import { describe, expect, it } from "vitest";
import { bodyOf, EMPTY_REGISTRATION, wrongIn, wrongWithEmail } from "./register-form.ts";

const whole = { ...EMPTY_REGISTRATION, username: " ada ", password: "secret-99", password2: "secret-99" };

describe("a registration", () => {
  it("needs a name and a password of 8 to 20 characters, twice", () => {
    expect(Object.values(wrongIn(false)(whole)).filter(Boolean)).toEqual([]);
    expect(wrongIn(false)({ ...whole, username: " " }).username).toBeDefined();
    expect(wrongIn(false)({ ...whole, username: "a".repeat(21) }).username).toBeDefined();
    expect(wrongIn(false)({ ...whole, password: "short" }).password).toBeDefined();
    expect(wrongIn(false)({ ...whole, password: "a".repeat(21) }).password).toBeDefined();
    expect(wrongIn(false)({ ...whole, password2: "other" }).password2).toBeDefined();
  });

  it("needs an address and its code where the site verifies addresses", () => {
    const problems = wrongIn(true)(whole);
    expect(problems.email).toBeDefined();
    expect(problems.code).toBeDefined();
    expect(wrongIn(true)({ ...whole, email: "ada@example.com", code: "123456" }).email).toBeUndefined();
  });

  it("goes out without blanks around", () => {
    expect(bodyOf({ ...whole, aff: " aB3d " })).toMatchObject({ username: "ada", aff_code: "aB3d" });
  });

  it("takes what looks like an address", () => {
    expect(wrongWithEmail("ada@example.com")).toBeUndefined();
    for (const text of ["", "ada", "ada@", "@example.com", "a b@example.com"])
      expect(wrongWithEmail(text)).toBeDefined();
  });
});
