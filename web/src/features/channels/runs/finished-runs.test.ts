import type { ChannelRun } from "@turnpike/contract/api/channels/channel-runs";
import { expect, it } from "vitest";
import { listFinishedRuns } from "./finished-runs.ts";

const run = (kind: string, running: boolean, started_at: number): ChannelRun => ({
  kind,
  running,
  started_at,
  ended_at: 0,
  done: 0,
  failed: 0,
  disabled: 0,
  enabled: 0,
  total: 0,
});

it("detects runs that ended, including those that were never seen running", () => {
  const kinds = (before: ChannelRun[], now: ChannelRun[]) => listFinishedRuns(before, now).map(({ kind }) => kind);
  expect(kinds([run("test", true, 5)], [run("test", false, 5)])).toEqual(["test"]);
  expect(kinds([run("test", false, 5)], [run("test", false, 9)])).toEqual(["test"]);
  expect(kinds([], [run("balance", false, 9)])).toEqual(["balance"]);
  expect(kinds([run("test", false, 5)], [run("test", false, 5), run("balance", true, 9)])).toEqual([]);
  expect(kinds([], [run("test", false, 0)])).toEqual([]);
});
