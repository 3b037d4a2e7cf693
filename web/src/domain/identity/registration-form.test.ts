import { describe, expect, it } from "vitest";
import { toRequestBody, EMPTY_REGISTRATION, findRegistrationProblems, findEmailProblem } from "./registration-form.ts";

const whole = { ...EMPTY_REGISTRATION, username: " ada ", password: "secret-99", password2: "secret-99" };

describe("a registration", () => {
  it("needs a name and a password of 8 to 20 characters, twice", () => {
    expect(Object.values(findRegistrationProblems(false)(whole)).filter(Boolean)).toEqual([]);
    expect(findRegistrationProblems(false)({ ...whole, username: " " }).username).toBeDefined();
    expect(findRegistrationProblems(false)({ ...whole, username: "a".repeat(21) }).username).toBeDefined();
    expect(findRegistrationProblems(false)({ ...whole, password: "short" }).password).toBeDefined();
    expect(findRegistrationProblems(false)({ ...whole, password: "a".repeat(21) }).password).toBeDefined();
    expect(findRegistrationProblems(false)({ ...whole, password2: "other" }).password2).toBeDefined();
  });

  it("needs an address and its code where the site verifies addresses", () => {
    const problems = findRegistrationProblems(true)(whole);
    expect(problems.email).toBeDefined();
    expect(problems.code).toBeDefined();
    expect(
      findRegistrationProblems(true)({ ...whole, email: "ada@example.com", code: "123456" }).email,
    ).toBeUndefined();
  });

  it("goes out without blanks around", () => {
    expect(toRequestBody({ ...whole, aff: " aB3d " })).toMatchObject({ username: "ada", aff_code: "aB3d" });
  });

  it("takes what looks like an address", () => {
    expect(findEmailProblem("ada@example.com")).toBeUndefined();
    for (const text of ["", "ada", "ada@", "@example.com", "a b@example.com"])
      expect(findEmailProblem(text)).toBeDefined();
  });
});
