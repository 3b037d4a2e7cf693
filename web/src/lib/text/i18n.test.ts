import { expect, it } from "vitest";
import { findBrowserLanguage } from "./i18n.ts";

it("takes the first of the browser's languages that the console has, else English", () => {
  expect(findBrowserLanguage(["zh-CN", "zh", "en"])).toBe("zh");
  expect(findBrowserLanguage(["en-US", "zh-CN"])).toBe("en");
  expect(findBrowserLanguage(["zh-Hant-TW"])).toBe("zh");
  expect(findBrowserLanguage(["fr-FR", "zh"])).toBe("zh");
  expect(findBrowserLanguage(["fr-FR", "de"])).toBe("en");
  expect(findBrowserLanguage([])).toBe("en");
});
