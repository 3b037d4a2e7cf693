import { describe, expect, it } from "vitest";
import { checkValue, dependantsOf, neededBy, toAuditTexts } from "./option-change.ts";

describe("a change of an option", () => {
  it("is told in the audit by the entries that differ", () => {
    const texts = toAuditTexts("GroupRatio", '{"default":1,"vip":1,"old":2}', '{"default":1,"vip":0.5}');
    expect(texts).toEqual({ before: '{"GroupRatio":{"vip":1,"old":2}}', after: '{"GroupRatio":{"vip":0.5}}' });
  });

  it("of a secret tells only that there is one", () => {
    const texts = toAuditTexts("SMTPToken", "", "hunter2");
    expect(texts).toEqual({ before: '{"SMTPToken":""}', after: '{"SMTPToken":"***"}' });
  });

  it("of a plain value tells both", () => {
    expect(toAuditTexts("SystemName", "A", "B")).toEqual({ before: '{"SystemName":"A"}', after: '{"SystemName":"B"}' });
  });

  it("is refused with what is wrong", () => {
    expect(() => checkValue("GroupRatio", '{"vip":-1}')).toThrow(
      expect.objectContaining({ code: "option_invalid", params: expect.objectContaining({ key: "GroupRatio" }) }),
    );
  });

  it("to true needs what the switch stands on, to false nothing", () => {
    expect(neededBy("GitHubOAuthEnabled", "true")).toEqual([["GitHubClientId"], ["GitHubClientSecret"]]);
    expect(neededBy("oidc.enabled", "true")).toContainEqual(["oidc.well_known", "oidc.authorization_endpoint"]);
    expect(neededBy("GitHubOAuthEnabled", "false")).toEqual([]);
    expect(neededBy("SystemName", "true")).toEqual([]);
  });

  it("knows which switches stand on an option", () => {
    expect(dependantsOf("GitHubClientSecret")).toEqual([{ by: "GitHubOAuthEnabled", group: ["GitHubClientSecret"] }]);
    expect(dependantsOf("SystemName")).toEqual([]);
  });
});
