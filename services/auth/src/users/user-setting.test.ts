import { describe, expect, it } from "vitest";
import { parseSentSetting, readSetting, shownSetting } from "./user-setting.ts";

describe("user setting", () => {
  it("stores the webhook secret separately from the plain settings", () => {
    const sent = JSON.stringify({ notify_type: "webhook", webhook_url: "https://a.example/x", webhook_secret: "s3" });
    const { settingJson, webhookSecret } = parseSentSetting(sent);
    expect(webhookSecret).toBe("s3");
    expect(JSON.parse(settingJson)).toEqual({ notify_type: "webhook", webhook_url: "https://a.example/x" });
  });

  it("reads numbers sent as text and drops unknown fields", () => {
    const { settingJson } = parseSentSetting('{"quota_warning_threshold":"5000","admin":true}');
    expect(JSON.parse(settingJson)).toEqual({ quota_warning_threshold: 5000 });
  });

  it.each([
    ["{", "user_setting_invalid"],
    ["[]", "user_setting_invalid"],
    ['{"quota_warning_threshold":-1}', "user_setting_invalid"],
    ['{"notify_type":"pigeon"}', "user_setting_invalid"],
    ['{"notify_type":"webhook"}', "webhook_url_required"],
    ['{"webhook_url":"http://a.example"}', "webhook_url_not_https"],
    ['{"webhook_url":"nonsense"}', "webhook_url_not_https"],
    ['{"notification_email":"nobody"}', "notification_email_invalid"],
  ])("refuses %s with %s", (json, code) => {
    expect(() => parseSentSetting(json)).toThrow(expect.objectContaining({ code }));
  });

  it("shows whether there is a secret, and only settings", () => {
    expect(JSON.parse(shownSetting('{"notify_type":"email","webhook_secret":"s3"}', true))).toEqual({
      notify_type: "email",
      webhook_secret_set: true,
    });
    expect(JSON.parse(shownSetting("{}", false))).toEqual({ webhook_secret_set: false });
  });

  it("treats unreadable stored text as empty", () => {
    expect(readSetting("not json")).toEqual({});
  });
});
