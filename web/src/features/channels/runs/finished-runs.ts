import type { ChannelRun } from "@turnpike/contract/api/channels/channel-runs";

/** The runs that ended between two polls: those that were running, and those that started and ended meanwhile. */
export const listFinishedRuns = (before: readonly ChannelRun[], now: readonly ChannelRun[]): ChannelRun[] =>
  now.filter((run) => {
    const last = before.find(({ kind }) => kind === run.kind);
    return !run.running && run.started_at > 0 && (last?.running === true || run.started_at > (last?.started_at ?? 0));
  });
