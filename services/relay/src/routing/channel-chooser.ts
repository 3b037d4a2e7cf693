import type { Choice, RoutedChannel, Tiers } from "../core/call/channel.ts";
import { computeRendezvousScore } from "./session-affinity.ts";
import type { Health } from "./health.ts";
import type { Latencies } from "./latencies.ts";
import type { Cooldowns } from "./cooldowns.ts";

/** A call's routing preferences among healthy channels. */
export type RoutingPreferences = {
  readonly model: string;
  /** Session affinity: keeps a conversation on one channel and key. */
  readonly conversation?: string;
  /** Prefers channels that were fast under this latency key. */
  readonly latencyKey?: string;
};

/** Weight 0 still gets traffic, as in related gateways: ten is added to every weight. */
const WEIGHT_BASE = 10;
const NO_WISH: RoutingPreferences = { model: "" };

type Deps = {
  readonly health: Health;
  readonly random: () => number;
  readonly onChoice?: (choice: Choice) => void;
  readonly cooldowns?: Pick<Cooldowns, "isCoolingDown">;
  readonly latencies?: Pick<Latencies, "factors">;
};

const getWeight = ({ channel }: Choice): number => channel.weight + WEIGHT_BASE;

function pickBy(candidates: readonly Choice[], figureOf: (candidate: Choice) => number): Choice | undefined {
  let best: Choice | undefined;
  let highest = -1;
  for (const candidate of candidates) {
    const figure = figureOf(candidate);
    if (figure <= highest) continue;
    highest = figure;
    best = candidate;
  }
  return best;
}

export type Chooser = ReturnType<typeof createChooser>;

/**
 * Chooses the next channel and key of a call: the highest tier with an untried candidate, by weight, skipping those
 * with an open breaker or in cooldown; keys round-robin. If only skipped ones are left, one of them gets a half-open
 * probe. Never the same key twice in a call, and no channel twice while an untried one exists.
 */
export function createChooser(deps: Deps) {
  const nextKey = new Map<number, number>();

  const isAvailable = (channel: RoutedChannel, key: string, model: string): boolean =>
    deps.health.isHealthy(channel.id, key) && deps.cooldowns?.isCoolingDown(channel.id, key, model) !== true;

  const pickKey = (
    channel: RoutedChannel,
    tried: readonly Choice[],
    rule: { healthyOnly: boolean; wish: RoutingPreferences },
  ): string | undefined => {
    const { model, conversation } = rule.wish;
    const count = channel.keys.length;
    const from = nextKey.get(channel.id) ?? 0;
    let wanted: string | undefined;
    let highest = -1;
    for (let step = 0; step < count; step++) {
      const key = channel.keys[(from + step) % count];
      if (key === undefined || (rule.healthyOnly && !isAvailable(channel, key, model))) continue;
      if (tried.some((choice) => choice.channel.id === channel.id && choice.key === key)) continue;
      if (conversation === undefined || count === 1) return key;
      const want = computeRendezvousScore(conversation, `${channel.id}/${key}`);
      if (want > highest) [wanted, highest] = [key, want];
    }
    return wanted;
  };
  const pickWeighted = (candidates: readonly Choice[], latencyKey: string | undefined): Choice | undefined => {
    const ids = latencyKey === undefined ? [] : candidates.map(({ channel }) => channel.id);
    const factors = latencyKey === undefined ? undefined : deps.latencies?.factors(ids, latencyKey);
    const weight = (candidate: Choice, index: number): number => getWeight(candidate) * (factors?.[index] ?? 1);
    let point = deps.random() * candidates.reduce((sum, candidate, index) => sum + weight(candidate, index), 0);
    for (const [index, candidate] of candidates.entries()) {
      point -= weight(candidate, index);
      if (point < 0) return candidate;
    }
    return candidates.at(-1);
  };
  const pickFrom = (
    tiers: Tiers,
    tried: readonly Choice[],
    rule: { healthyOnly: boolean; newChannelOnly: boolean; wish: RoutingPreferences },
  ): Choice | undefined => {
    const { conversation, latencyKey } = rule.wish;
    for (const tier of tiers) {
      const candidates: Choice[] = [];
      for (const channel of tier) {
        if (rule.newChannelOnly && tried.some((choice) => choice.channel.id === channel.id)) continue;
        const key = pickKey(channel, tried, rule);
        if (key !== undefined)
          candidates.push(latencyKey === undefined ? { channel, key } : { channel, key, latencyKey });
      }
      const choice =
        conversation === undefined
          ? pickWeighted(candidates, latencyKey)
          : pickBy(candidates, (each) =>
              computeRendezvousScore(conversation, String(each.channel.id), getWeight(each)),
            );
      if (choice) return choice;
    }
    return undefined;
  };
  return {
    choose(tiers: Tiers, tried: readonly Choice[], wish: RoutingPreferences = NO_WISH): Choice | undefined {
      const choice =
        pickFrom(tiers, tried, { healthyOnly: true, newChannelOnly: true, wish }) ??
        pickFrom(tiers, tried, { healthyOnly: true, newChannelOnly: false, wish }) ??
        pickFrom(tiers, tried, { healthyOnly: false, newChannelOnly: true, wish }) ??
        // The last key of a channel whose others failed: if nothing else is left, a half-open probe.
        pickFrom(tiers, tried, { healthyOnly: false, newChannelOnly: false, wish });
      if (!choice) return undefined;
      nextKey.set(choice.channel.id, choice.channel.keys.indexOf(choice.key) + 1);
      deps.onChoice?.(choice);
      return choice;
    },
  };
}
