import type { TallyChange } from "../../services/billing/src/logs/log-tally.ts";

/** Adds up the tallies of a day, so that each is written once. */
export function createDayTallies() {
  const changes = new Map<string, TallyChange>();
  return {
    add(more: readonly TallyChange[]): void {
      for (const change of more) {
        const known = changes.get(change._id);
        if (!known) changes.set(change._id, change);
        else for (const [path, by] of Object.entries(change.inc)) known.inc[path] = (known.inc[path] ?? 0) + by;
      }
    },
    take(): TallyChange[] {
      const all = [...changes.values()];
      changes.clear();
      return all;
    },
  };
}
