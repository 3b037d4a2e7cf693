import { expect, it } from "vitest";
import { readSettingChange, toRestoredOptions } from "./setting-restore.ts";

const entry = (before: unknown, after: unknown, action = "option.set") => ({
  id: 1,
  created_at: 0,
  actor_id: 1,
  actor_name: "root",
  action,
  target: "option:x",
  before: JSON.stringify(before),
  after: JSON.stringify(after),
  address: "",
});

it("restores plain values, and of tables the entries that changed", () => {
  const before = { SystemName: "A", UserUsableGroups: { vip: 1, old: 2 } };
  const after = { SystemName: "B", UserUsableGroups: { vip: 0.5, added: 3 } };
  const change = readSettingChange(entry(before, after));
  const current = { SystemName: "B", UserUsableGroups: '{"default":1,"vip":0.5,"added":3}' };
  expect(change && toRestoredOptions(change, current)).toEqual([
    { key: "SystemName", value: "A" },
    { key: "UserUsableGroups", value: '{"default":1,"vip":1,"old":2}' },
  ]);
});

it("restores no secrets, no prices and no other actions", () => {
  expect(readSettingChange(entry({ SMTPToken: "***" }, { SMTPToken: "" }))).toBeUndefined();
  expect(readSettingChange(entry({ ModelRatio: {} }, { ModelRatio: { a: 1 } }))).toBeUndefined();
  expect(readSettingChange(entry({ SystemName: "A" }, { SystemName: "B" }, "user.update"))).toBeUndefined();
});
