import { describe, expect, it } from "vitest";
import { gemini } from "./gemini.ts";
import { target } from "./gemini-fixtures.ts";

describe("Gemini URL", () => {
  it.each([
    [{}, false, "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent"],
    [
      {},
      true,
      "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
    ],
    [
      { model: "gemini-1.0-pro" },
      false,
      "https://generativelanguage.googleapis.com/v1/models/gemini-1.0-pro:generateContent",
    ],
    [
      { other: "v1alpha" },
      false,
      "https://generativelanguage.googleapis.com/v1alpha/models/gemini-2.5-flash:generateContent",
    ],
    [
      { other: "us-central1" },
      false,
      "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent",
    ],
    [{ baseUrl: "http://host/v1beta" }, false, "http://host/v1beta/models/gemini-2.5-flash:generateContent"],
  ])("is correct for %j, streaming %j", (given, isStream, url) => {
    expect(gemini.address(target(given), isStream)).toEqual({
      url,
      headers: { "content-type": "application/json", "x-goog-api-key": "sk-upstream" },
    });
  });

  it("lists the models, whose names lose their prefix", () => {
    expect(gemini.account?.modelList?.(target()).url).toBe(
      "https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000",
    );
    expect(gemini.account?.parseModelList?.({ models: [{ name: "models/gemini-2.5-pro" }] })).toEqual([
      "gemini-2.5-pro",
    ]);
  });
});
