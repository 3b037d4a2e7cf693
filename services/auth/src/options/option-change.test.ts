import { describe, expect, it } from "vitest";
import { checkValue, getDependants, getRequirements, parseOptionKey, toAuditTexts } from "./option-change.ts";

describe("option change", () => {
  it("is audited by the entries that differ", () => {
    const texts = toAuditTexts([
      { key: "GroupRatio", before: '{"default":1,"vip":1,"old":2}', after: '{"default":1,"vip":0.5}' },
    ]);
    expect(texts).toEqual({ before: '{"GroupRatio":{"vip":1,"old":2}}', after: '{"GroupRatio":{"vip":0.5}}' });
  });

  it("shows only whether a secret has a value in the audit", () => {
    const texts = toAuditTexts([{ key: "SMTPToken", before: "", after: "hunter2" }]);
    expect(texts).toEqual({ before: '{"SMTPToken":""}', after: '{"SMTPToken":"***"}' });
  });

  it("shows the old and the new value of plain options in the audit", () => {
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

  it("requires a switch's prerequisites to enable it, and nothing to disable it", () => {
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

describe("option name", () => {
  it("is refused when it is not in the registry, including inherited property names", () => {
    for (const name of ["constructor", "__proto__", "NoSuchThing", ""])
      expect(() => parseOptionKey(name)).toThrow(expect.objectContaining({ code: "option_unknown" }));
  });
});
