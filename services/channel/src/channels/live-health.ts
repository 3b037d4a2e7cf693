import type { ChannelHealth } from "@turnpike/proto/channel/v1/channel_service";
import type { channelsServed } from "@turnpike/shared/events/relay";
import type { z } from "zod";

type Report = z.output<(typeof channelsServed)["data"]>;
type Served = Report["channels"][number];
/** One relay's report on one channel at one time. */
type Entry = Omit<Served, "channelId"> & { readonly relayId: string; readonly atMs: number };
export type LiveHealth = ReturnType<typeof createLiveHealth>;

const WINDOW_MS = 5 * 60_000;
/** A relay with an open circuit breaker reports every few seconds; one without a report for this long has stopped. */
const BREAKER_FRESH_MS = 20_000;
const ERRORS_MAX = 5;
/** Per channel; if more relays than this report within five seconds, the oldest reports are dropped. */
const ENTRIES_MAX = 6_000;

const sum = (entries: readonly Entry[], pick: (entry: Entry) => number): number =>
  entries.reduce((total, entry) => total + pick(entry), 0);

/** The state of most of a channel's keys, by the relay with the worst view. */
function getState(newest: readonly Entry[], keyCount: number): string | undefined {
  const open = Math.max(0, ...newest.map(({ openKeys }) => openKeys));
  const out = Math.max(0, ...newest.map(({ openKeys, trialKeys }) => openKeys + trialKeys));
  if (out === 0) return undefined;
  if (out < keyCount) return "partial";
  return open >= keyCount ? "open" : "half_open";
}

/**
 * The last minutes of every channel from relays' reports, in this process's memory: each replica receives every report.
 */
export function createLiveHealth(deps: { nowMs: () => number }) {
  const getEntries = new Map<number, Entry[]>();
  let sweptAtMs = deps.nowMs();

  const recent = (entries: readonly Entry[]): Entry[] => {
    const since = deps.nowMs() - WINDOW_MS;
    return entries.filter(({ atMs }) => atMs > since).slice(-ENTRIES_MAX);
  };
  /** Each relay's last report, except for relays that stopped reporting. */
  const getFresh = (entries: readonly Entry[]): Entry[] => {
    const newest = new Map(entries.map((entry) => [entry.relayId, entry]));
    return [...newest.values()].filter(({ atMs }) => atMs > deps.nowMs() - BREAKER_FRESH_MS);
  };
  /** Channels without calls, or deleted. */
  const sweep = (): void => {
    if (deps.nowMs() - sweptAtMs < WINDOW_MS / 5) return;
    sweptAtMs = deps.nowMs();
    for (const [channelId, entries] of getEntries) {
      const fresh = recent(entries);
      if (fresh.length === 0) getEntries.delete(channelId);
      else getEntries.set(channelId, fresh);
    }
  };
  return {
    /** Records a relay's report under its arrival time, because clocks differ. */
    record({ relayId, channels }: Report): void {
      sweep();
      for (const { channelId, ...served } of channels) {
        const entries = getEntries.get(channelId) ?? [];
        getEntries.set(channelId, entries);
        entries.push({ ...served, relayId, atMs: deps.nowMs() });
        if (entries.length > 2 * ENTRIES_MAX) getEntries.set(channelId, recent(entries));
      }
    },
    /**
     * Keys of a channel, by HMAC, whose circuit breaker is open or half-open at some relay; the worst reported state of
     * each.
     */
    getBreakers(channelId: number): ReadonlyMap<string, "open" | "half_open"> {
      const states = getFresh(recent(getEntries.get(channelId) ?? [])).flatMap(({ keys }) => keys);
      const byWorst = states.toSorted((a, b) => Number(a.isOpen) - Number(b.isOpen));
      return new Map(byWorst.map(({ hash, isOpen }) => [hash, isOpen ? "open" : "half_open"]));
    },
    /** The health of a channel with this many enabled keys. */
    of(channelId: number, keyCount: number): ChannelHealth {
      const entries = recent(getEntries.get(channelId) ?? []);
      const calls = sum(entries, (entry) => entry.calls);
      const failures = sum(entries, (entry) => entry.failures);
      const latencyMs = sum(entries, (entry) => entry.latencyMs) / Math.max(1, calls - failures);
      return {
        state: getState(getFresh(entries), keyCount) ?? (calls === 0 ? "idle" : "closed"),
        calls,
        errorRate: calls === 0 ? 0 : failures / calls,
        latencyMs: Math.round(latencyMs),
        errors: entries
          .flatMap(({ errors }) => errors)
          .toSorted((a, b) => b.atMs - a.atMs)
          .slice(0, ERRORS_MAX)
          .map(({ message, status, atMs }) => ({ message, status, atSeconds: Math.floor(atMs / 1_000) })),
      };
    },
  };
}
