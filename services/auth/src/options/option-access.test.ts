import { describe, expect, it } from "vitest";
import { parseOptionKey } from "./option-access.ts";

describe("option name", () => {
  it("is refused when it is not in the registry, including inherited property names", () => {
    for (const name of ["constructor", "__proto__", "NoSuchThing", ""])
      expect(() => parseOptionKey(name)).toThrow(expect.objectContaining({ code: "option_unknown" }));
  });
});
