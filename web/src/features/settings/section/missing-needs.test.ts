import type { OptionKey } from "@turnpike/contract/options/option-definitions";
import { expect, it } from "vitest";
import { findMissing } from "./missing-needs.ts";

const values =
  (held: Partial<Record<OptionKey, string>>) =>
  (key: OptionKey): string =>
    held[key] ?? "";

it("names the credentials that a switch lacks", () => {
  const secrets = { GitHubClientSecret: false };
  expect(findMissing("GitHubOAuthEnabled", values({}), secrets)).toEqual(["GitHubClientId", "GitHubClientSecret"]);
  expect(findMissing("GitHubOAuthEnabled", values({ GitHubClientId: "id" }), secrets)).toEqual(["GitHubClientSecret"]);
});

it("takes a secret that is stored, typed, or not known of", () => {
  const id = values({ GitHubClientId: "id" });
  expect(findMissing("GitHubOAuthEnabled", id, { GitHubClientSecret: true })).toEqual([]);
  expect(findMissing("GitHubOAuthEnabled", id, undefined)).toEqual([]);
  const typed = values({ GitHubClientId: "id", GitHubClientSecret: "new" });
  expect(findMissing("GitHubOAuthEnabled", typed, { GitHubClientSecret: false })).toEqual([]);
});

it("takes either of two where one will do", () => {
  const endpoint = values({ "oidc.client_id": "id", "oidc.authorization_endpoint": "https://id.example.com/auth" });
  expect(findMissing("oidc.enabled", endpoint, {})).toEqual([]);
  expect(findMissing("oidc.enabled", values({ "oidc.client_id": "id" }), {})).toEqual(["oidc.well_known"]);
});
