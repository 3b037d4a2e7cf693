import { LogFilter } from "@turnpike/contract/api/log";
import type { LogRow } from "@turnpike/proto/billing/v1/log_service";
import { describe, expect, it } from "vitest";
import { toLogEntry, toOwnLogEntry, toOwnLogFilter } from "./log-entry.ts";

const row = (otherJson: string): LogRow => ({
  id: 4,
  createdAt: 1_700_000_000,
  type: 2,
  userId: 7,
  username: "ada",
  tokenId: 3,
  tokenName: "main",
  modelName: "gpt-4o",
  channel: 12,
  channelName: "secret upstream",
  group: "default",
  isStream: true,
  useTime: 2,
  promptTokens: 10,
  completionTokens: 20,
  quota: 55,
  content: "",
  clientIp: "",
  requestId: "R1",
  otherJson,
});

describe("log rows", () => {
  it("show admins everything", () => {
    const other = `{"model_ratio":1,"admin_info":{"use_channel":["12"]}}`;
    expect(toLogEntry(row(other))).toMatchObject({ channel: 12, channel_name: "secret upstream", other });
  });
  it("show users their own call without where it went", () => {
    const other = `{"model_ratio":1,"admin_info":{"use_channel":["12"]},"channel_id":12,"channel_name":"x","channel_type":1}`;
    expect(toOwnLogEntry(row(other))).toMatchObject({
      channel: 0,
      channel_name: "",
      other: `{"model_ratio":1}`,
      quota: 55,
    });
  });
  it("show users nothing of details that cannot be read", () => {
    expect(toOwnLogEntry(row(`{"admin_info":`)).other).toBe("{}");
  });
  it("are the user's own, whatever the filter asks", () => {
    const filter = LogFilter.parse({ username: "root", channel: "5", model_name: "gpt%" });
    expect(toOwnLogFilter(filter, 7)).toMatchObject({ userId: 7, username: "", channel: 0, modelName: "gpt%" });
  });
});
