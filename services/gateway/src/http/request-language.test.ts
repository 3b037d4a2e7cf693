import { describe, expect, it } from "vitest";
import { readLanguage } from "./request-language.ts";

const read = (header: string | undefined, fallback: "zh" | "en" = "en") =>
  readLanguage({ headers: header === undefined ? {} : { "accept-language": header } }, fallback);

describe("readLanguage", () => {
  it("takes the language that the client prefers", () => {
    expect(read("zh-CN,zh;q=0.9,en;q=0.8")).toBe("zh");
    expect(read("en-GB,en;q=0.9,zh;q=0.8", "zh")).toBe("en");
    expect(read("zh-Hant-TW")).toBe("zh");
    expect(read("en;q=0.2, zh;q=0.7")).toBe("zh");
    expect(read("fr-FR, fr;q=0.9, zh;q=0.5")).toBe("zh");
  });

  it("takes the site's language where the header names neither, allows any, or is missing", () => {
    for (const header of ["fr", "de-DE,de;q=0.9", "*", "", undefined, "zhx"]) {
      expect(read(header)).toBe("en");
      expect(read(header, "zh")).toBe("zh");
    }
  });

  it("does not take a language that the client refuses", () => {
    expect(read("zh;q=0, en", "zh")).toBe("en");
  });
});
