import { expect, it } from "vitest";
import { redactUrl } from "./span-redaction.ts";

it("removes keys in addresses from spans", () => {
  const attributes = new Map([["url.query", "key=AIza-secret"]]);
  redactUrl(
    { setAttribute: (name, value) => attributes.set(name, value) },
    "https://a.example/v1/m:go?key=AIza-secret",
  );
  expect([...attributes.values()].join(" ")).not.toContain("AIza-secret");
  expect(attributes.get("url.full")).toBe("https://a.example/v1/m:go");
});
