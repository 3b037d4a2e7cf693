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
  cost: 17,
  costSource: "catalogue",
  refunded: 0,
});

describe("log rows", () => {
  it("shows administrators everything", () => {
    const other = `{"model_ratio":1,"admin_info":{"use_channel":["12"]}}`;
    expect(toLogEntry(row(other))).toMatchObject({ channel: 12, channel_name: "secret upstream", other });
  });
  it("shows users their own call without its routing", () => {
    const other = `{"model_ratio":1,"admin_info":{"use_channel":["12"]},"channel_id":12,"channel_name":"x","channel_type":1}`;
    expect(toOwnLogEntry(row(other))).toMatchObject({
      channel: 0,
      channel_name: "",
      other: `{"model_ratio":1}`,
      quota: 55,
    });
  });
  it("links administrators, not users, to the trace of a sampled call", () => {
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const sampled = row(`{"admin_info":{"use_channel":["12"],"trace_id":"${traceId}"}}`);
    const template = "https://traces.example.com/trace/{trace_id}";
    expect(toLogEntry(sampled, template).trace_url).toBe(`https://traces.example.com/trace/${traceId}`);
    expect(toLogEntry(sampled).trace_url).toBeUndefined();
    expect(
      toLogEntry(row(JSON.stringify({ admin_info: { trace_id: 'x" onclick' } })), template).trace_url,
    ).toBeUndefined();
    expect(JSON.stringify(toOwnLogEntry(sampled))).not.toContain(traceId);
  });
  it("shows users nothing of unreadable details", () => {
    expect(toOwnLogEntry(row(`{"admin_info":`)).other).toBe("{}");
  });
  it("limits the rows to the user's own, whatever the filter requests", () => {
    const filter = LogFilter.parse({ username: "root", channel: "5", model_name: "gpt%" });
    expect(toOwnLogFilter(filter, 7)).toMatchObject({ userId: 7, username: "", channel: 0, modelName: "gpt%" });
  });
});
