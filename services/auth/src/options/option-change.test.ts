import { describe, expect, it } from "vitest";
import { checkValue, getDependants, getRequirements, toAuditTexts } from "./option-change.ts";

describe("a change of an option", () => {
  it("is told in the audit by the entries that differ", () => {
    const texts = toAuditTexts([
      { key: "GroupRatio", before: '{"default":1,"vip":1,"old":2}', after: '{"default":1,"vip":0.5}' },
    ]);
    expect(texts).toEqual({ before: '{"GroupRatio":{"vip":1,"old":2}}', after: '{"GroupRatio":{"vip":0.5}}' });
  });

  it("of a secret tells only that there is one", () => {
    const texts = toAuditTexts([{ key: "SMTPToken", before: "", after: "hunter2" }]);
    expect(texts).toEqual({ before: '{"SMTPToken":""}', after: '{"SMTPToken":"***"}' });
  });

  it("of plain values shows both sides of each", () => {
    const texts = toAuditTexts([
      { key: "SystemName", before: "A", after: "B" },
      { key: "SMTPToken", before: "old", after: "" },
    ]);
    expect(texts).toEqual({
      before: '{"SystemName":"A","SMTPToken":"***"}',
      after: '{"SystemName":"B","SMTPToken":""}',
    });
  });

  it("is refused with what is wrong", () => {
    expect(() => checkValue("GroupRatio", '{"vip":-1}')).toThrow(
      expect.objectContaining({ code: "option_invalid", params: expect.objectContaining({ key: "GroupRatio" }) }),
    );
  });

  it("to true needs what the switch stands on, to false nothing", () => {
    expect(getRequirements("GitHubOAuthEnabled", "true")).toEqual([["GitHubClientId"], ["GitHubClientSecret"]]);
    expect(getRequirements("oidc.enabled", "true")).toContainEqual(["oidc.well_known", "oidc.authorization_endpoint"]);
    expect(getRequirements("GitHubOAuthEnabled", "false")).toEqual([]);
    expect(getRequirements("SystemName", "true")).toEqual([]);
  });

  it("knows which switches stand on an option", () => {
    expect(getDependants("GitHubClientSecret")).toEqual([{ by: "GitHubOAuthEnabled", group: ["GitHubClientSecret"] }]);
    expect(getDependants("SystemName")).toEqual([]);
  });
});
