import { describe, expect, it } from "vitest";
import { toRecoveredRecord } from "./recovered-usage.ts";

const NOW = 1_800_000_000;
const details = {
  u: "ann",
  i: 9,
  t: "laptop",
  m: "gpt-4o",
  c: 3,
  cn: "main",
  g: "vip",
  s: 1,
  p: 12,
  o: 30,
  q: 40,
  at: NOW - 60,
};
const call = (entry: { amount?: number; tokenId?: number; settled?: boolean; json?: string }) => ({
  userId: 7,
  requestId: "r1",
  entry: { amount: 100, tokenId: 0, relayId: "relay-1", settled: false, json: JSON.stringify(details), ...entry },
});

describe("record of a call whose relay died", () => {
  it("costs the prompt and what was reported as sent, and is marked as recovered", () => {
    const record = toRecoveredRecord(call({}), NOW);
    expect(record).toMatchObject({
      requestId: "r1",
      type: 2,
      userId: 7,
      username: "ann",
      tokenId: 9,
      tokenName: "laptop",
      modelName: "gpt-4o",
      channelId: 3,
      channelName: "main",
      group: "vip",
      isStream: true,
      promptTokens: 12,
      completionTokens: 30,
      quota: 40,
      createdAtSeconds: NOW - 60,
      content: "中继中断，按预留结算",
      recovered: true,
    });
    expect(JSON.parse(record.other)).toEqual({ recovered: true });
  });

  it("costs the settled amount when the call was settled", () => {
    expect(toRecoveredRecord(call({ settled: true }), NOW)).toMatchObject({ quota: 100, completionTokens: 30 });
  });

  it("never costs more than the hold of a call that was not settled", () => {
    expect(toRecoveredRecord(call({ amount: 15 }), NOW).quota).toBe(15);
  });

  it("costs the hold when the entry's details cannot be parsed", () => {
    for (const json of ["", "{", "[]", "null", '{"q":"x","at":-5,"m":7}'])
      expect(toRecoveredRecord(call({ json, tokenId: 5 }), NOW)).toMatchObject({
        quota: 100,
        tokenId: 5,
        modelName: "",
        createdAtSeconds: NOW,
      });
  });

  it("keeps the relay's details for the log", () => {
    const json = JSON.stringify({ ...details, r: '{"model_ratio":2}' });
    expect(JSON.parse(toRecoveredRecord(call({ json }), NOW).other)).toEqual({ model_ratio: 2, recovered: true });
  });
});
