import { describe, expect, it } from "vitest";
import { readSetting, settingBody } from "./user-setting.ts";

describe("the user's settings", () => {
  it("reads missing and unreadable values as their defaults", () => {
    for (const json of ["", "{}", "nonsense", '{"notify_type":7}']) {
      expect(readSetting(json)).toMatchObject({ notifyType: "email", warningThreshold: 500_000, showIpInLogs: false });
    }
  });

  it("sends all settings, so that saving one part loses no other", () => {
    const json =
      '{"notify_type":"webhook","webhook_url":"https://example.com/hook","webhook_secret_set":true,"show_ip_in_logs":true}';
    expect(settingBody({ ...readSetting(json), acceptUnsetModelRatio: true })).toEqual({
      notify_type: "webhook",
      quota_warning_threshold: 500_000,
      webhook_url: "https://example.com/hook",
      notification_email: "",
      accept_unset_model_ratio_model: true,
      show_ip_in_logs: true,
    });
  });

  it("sends a secret only when a new one was entered", () => {
    expect(settingBody(readSetting("{}"), "s3cret").webhook_secret).toBe("s3cret");
  });
});
