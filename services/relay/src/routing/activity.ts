import type { channelsServed } from "@turnpike/shared/events/relay";
import type { z } from "zod";
import type { RelayError } from "../core/errors/relay-error.ts";
import type { Choice } from "../core/call/channel.ts";
import type { Breakers, ChannelBreakers } from "./channel-breakers.ts";

export type ChannelServed = z.output<(typeof channelsServed)["data"]>["channels"][number];
type Tally = Omit<ChannelServed, "channelId" | "openKeys" | "trialKeys" | "keys">;
export type Activity = ReturnType<typeof createActivity>;

const ERRORS_MAX = 5;
const MESSAGE_LENGTH_MAX = 300;
const KEYS_MAX = 100;
const NO_BREAKER: Breakers = { open: [], halfOpen: [] };

/**
 * Counts the outcomes of calls to each channel, for display by the channel service. Never contains a key: `hash` makes
 * the names that identify keys.
 */
export function createActivity(deps: {
  health: Pick<ChannelBreakers, "breakers">;
  hash: (key: string) => string;
  now: () => number;
}) {
  const { health, hash, now } = deps;
  const getNames = ({ open, halfOpen }: Breakers): ChannelServed["keys"] =>
    [...open.map((key) => ({ key, isOpen: true })), ...halfOpen.map((key) => ({ key, isOpen: false }))]
      .slice(0, KEYS_MAX)
      .map(({ key, isOpen }) => ({ hash: hash(key), isOpen }));
  const startedAtMs = new WeakMap<Choice, number>();
  let tallies = new Map<number, Tally>();
  let openBefore = new Set<number>();

  const getTally = (channelId: number): Tally => {
    const known = tallies.get(channelId);
    if (known) return known;
    const fresh = { calls: 0, failures: 0, latencyMs: 0, errors: [] };
    tallies.set(channelId, fresh);
    return fresh;
  };
  return {
    /** Called when an attempt starts. */
    chosen(choice: Choice): void {
      startedAtMs.set(choice, now());
    },
    /**
     * How long an attempt waited for its response, which began at `firstByteAtMs` or, if non-streaming, completed just
     * now.
     */
    waitedMs: (choice: Choice, firstByteAtMs = now()): number | undefined => {
      const startedAt = startedAtMs.get(choice);
      return startedAt === undefined ? undefined : Math.max(0, firstByteAtMs - startedAt);
    },
    /** Called when a response began at `firstByteAtMs`, or a non-streaming one completed. */
    succeeded(choice: Choice, firstByteAtMs = now()): void {
      const tally = getTally(choice.channel.id);
      tally.calls++;
      tally.latencyMs += Math.max(0, firstByteAtMs - (startedAtMs.get(choice) ?? firstByteAtMs));
    },
    failed(choice: Choice, error: RelayError): void {
      const tally = getTally(choice.channel.id);
      tally.calls++;
      tally.failures++;
      const message = choice.key === "" ? error.message : error.message.replaceAll(choice.key, "[key]");
      const failure = { message: message.slice(0, MESSAGE_LENGTH_MAX), status: error.status, atMs: now() };
      tally.errors = [failure, ...tally.errors].slice(0, ERRORS_MAX);
    },
    /** The changes since the last call, including channels whose breakers just closed. */
    take(): ChannelServed[] {
      const breakers = health.breakers();
      const ids = new Set([...tallies.keys(), ...breakers.keys(), ...openBefore]);
      const taken = [...ids].map((channelId): ChannelServed => {
        const keys = breakers.get(channelId) ?? NO_BREAKER;
        const counts = { openKeys: keys.open.length, trialKeys: keys.halfOpen.length };
        return { channelId, ...getTally(channelId), ...counts, keys: getNames(keys) };
      });
      tallies = new Map();
      openBefore = new Set(breakers.keys());
      return taken;
    },
  };
}
