import type { OptionKey } from "@turnpike/contract/options/option-definitions";
import { expect, it } from "vitest";
import { findMissingSettings } from "./missing-settings.ts";

const values =
  (held: Partial<Record<OptionKey, string>>) =>
  (key: OptionKey): string =>
    held[key] ?? "";

it("names the credentials that a switch requires", () => {
  const secrets = { GitHubClientSecret: false };
  expect(findMissingSettings("GitHubOAuthEnabled", values({}), secrets)).toEqual([
    "GitHubClientId",
    "GitHubClientSecret",
  ]);
  expect(findMissingSettings("GitHubOAuthEnabled", values({ GitHubClientId: "id" }), secrets)).toEqual([
    "GitHubClientSecret",
  ]);
});

it("accepts a secret that is stored, entered, or unknown", () => {
  const id = values({ GitHubClientId: "id" });
  expect(findMissingSettings("GitHubOAuthEnabled", id, { GitHubClientSecret: true })).toEqual([]);
  expect(findMissingSettings("GitHubOAuthEnabled", id, undefined)).toEqual([]);
  const typed = values({ GitHubClientId: "id", GitHubClientSecret: "new" });
  expect(findMissingSettings("GitHubOAuthEnabled", typed, { GitHubClientSecret: false })).toEqual([]);
});

it("accepts either of two where one is enough", () => {
  const endpoint = values({ "oidc.client_id": "id", "oidc.authorization_endpoint": "https://id.example.com/auth" });
  expect(findMissingSettings("oidc.enabled", endpoint, {})).toEqual([]);
  expect(findMissingSettings("oidc.enabled", values({ "oidc.client_id": "id" }), {})).toEqual(["oidc.well_known"]);
});
