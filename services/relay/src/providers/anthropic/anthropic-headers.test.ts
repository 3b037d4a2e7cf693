import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../shared/fixtures.ts";
import { anthropic } from "./anthropic.ts";
import { MODEL, target } from "./anthropic-fixtures.ts";

describe("Anthropic provider URLs and headers", () => {
  it("sends the key and the version, the caller's if it sent one", () => {
    expect(anthropic.address(target(), false)).toEqual({
      url: "https://api.anthropic.com/v1/messages",
      headers: { "content-type": "application/json", "x-api-key": "sk-upstream", "anthropic-version": "2023-06-01" },
    });
    const clientHeaders = { "anthropic-version": "2024-01-01", "anthropic-beta": "a,b" };
    expect(anthropic.address(target({ baseUrl: "http://host/v1", clientHeaders }), true)).toMatchObject({
      url: "http://host/v1/messages",
      headers: { "anthropic-version": "2024-01-01", "anthropic-beta": "a,b" },
    });
  });

  it("merges the operator's betas for the model with the caller's, and adds its other headers", () => {
    const claudeModelHeaders = { [MODEL]: { "Anthropic-Beta": ["b", "c"], "x-team": ["one"] } };
    const { headers } = anthropic.address(
      target({ clientHeaders: { "anthropic-beta": "a, b" }, settings: { ...DEFAULT_SETTINGS, claudeModelHeaders } }),
      false,
    );
    expect(headers).toMatchObject({ "anthropic-beta": "a,b,c", "x-team": "one" });
  });

  it("lists and parses the models", () => {
    expect(anthropic.account?.modelList?.(target()).url).toBe("https://api.anthropic.com/v1/models?limit=1000");
    expect(anthropic.account?.parseModelList?.({ data: [{ id: "claude-a", type: "model" }] })).toEqual(["claude-a"]);
  });
});
