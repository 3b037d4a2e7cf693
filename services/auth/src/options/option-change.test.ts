import { describe, expect, it } from "vitest";
import { checkValue, getDependants, getRequirements, toAuditTexts } from "./option-change.ts";

describe("option change", () => {
  it("is audited by the entries that differ", () => {
    const texts = toAuditTexts([
      { key: "GroupRatio", before: '{"default":1,"vip":1,"old":2}', after: '{"default":1,"vip":0.5}' },
    ]);
    expect(texts).toEqual({ before: '{"GroupRatio":{"vip":1,"old":2}}', after: '{"GroupRatio":{"vip":0.5}}' });
  });

  it("of a secret is audited only by whether a value is set", () => {
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

  it("is refused with the reason", () => {
    expect(() => checkValue("GroupRatio", '{"vip":-1}')).toThrow(
      expect.objectContaining({ code: "option_invalid", params: expect.objectContaining({ key: "GroupRatio" }) }),
    );
  });

  it("to true requires the switch's prerequisites, to false nothing", () => {
    expect(getRequirements("GitHubOAuthEnabled", "true")).toEqual([["GitHubClientId"], ["GitHubClientSecret"]]);
    expect(getRequirements("oidc.enabled", "true")).toContainEqual(["oidc.well_known", "oidc.authorization_endpoint"]);
    expect(getRequirements("GitHubOAuthEnabled", "false")).toEqual([]);
    expect(getRequirements("SystemName", "true")).toEqual([]);
  });

  it("finds the switches that depend on an option", () => {
    expect(getDependants("GitHubClientSecret")).toEqual([{ by: "GitHubOAuthEnabled", group: ["GitHubClientSecret"] }]);
    expect(getDependants("SystemName")).toEqual([]);
  });
});
