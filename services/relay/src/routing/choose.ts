import type { Health } from "./health.ts";
import type { RoutedChannel, Tiers } from "./routing-table.ts";

export type Choice = { readonly channel: RoutedChannel; readonly key: string };

/** Weight 0 still gets traffic, as in the family's routing: everybody has ten added. */
const WEIGHT_BASE = 10;

export type Chooser = ReturnType<typeof createChooser>;

/**
 * Picks the next channel and key of a call: the highest tier that has an untried candidate, by weight, breakers that are open
 * passed over; keys in turn. When only open breakers are left, one of them gets a trial. Never the same key twice in a call, and
 * no channel twice while an untried one exists.
 */
export function createChooser(deps: { health: Health; random: () => number; onChoice?: (choice: Choice) => void }) {
  const nextKey = new Map<number, number>();

  const pickKey = (channel: RoutedChannel, tried: readonly Choice[], healthyOnly: boolean): string | undefined => {
    const count = channel.keys.length;
    const from = nextKey.get(channel.id) ?? 0;
    for (let step = 0; step < count; step++) {
      const key = channel.keys[(from + step) % count];
      if (key === undefined || (healthyOnly && !deps.health.isHealthy(channel.id, key))) continue;
      if (tried.some((choice) => choice.channel.id === channel.id && choice.key === key)) continue;
      return key;
    }
    return undefined;
  };
  const pickWeighted = (candidates: readonly Choice[]): Choice | undefined => {
    let point = deps.random() * candidates.reduce((sum, { channel }) => sum + channel.weight + WEIGHT_BASE, 0);
    for (const candidate of candidates) {
      point -= candidate.channel.weight + WEIGHT_BASE;
      if (point < 0) return candidate;
    }
    return candidates.at(-1);
  };
  const pickFrom = (
    tiers: Tiers,
    tried: readonly Choice[],
    rule: { healthyOnly: boolean; newChannelOnly: boolean },
  ): Choice | undefined => {
    for (const tier of tiers) {
      const candidates: Choice[] = [];
      for (const channel of tier) {
        if (rule.newChannelOnly && tried.some((choice) => choice.channel.id === channel.id)) continue;
        const key = pickKey(channel, tried, rule.healthyOnly);
        if (key !== undefined) candidates.push({ channel, key });
      }
      const choice = pickWeighted(candidates);
      if (choice) return choice;
    }
    return undefined;
  };
  return {
    choose(tiers: Tiers, tried: readonly Choice[]): Choice | undefined {
      const choice =
        pickFrom(tiers, tried, { healthyOnly: true, newChannelOnly: true }) ??
        pickFrom(tiers, tried, { healthyOnly: true, newChannelOnly: false }) ??
        pickFrom(tiers, tried, { healthyOnly: false, newChannelOnly: true });
      if (!choice) return undefined;
      nextKey.set(choice.channel.id, choice.channel.keys.indexOf(choice.key) + 1);
      deps.onChoice?.(choice);
      return choice;
    },
  };
}
