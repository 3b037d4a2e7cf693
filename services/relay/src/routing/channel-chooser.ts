import type { Choice, RoutedChannel, Tiers } from "../core/call/channel.ts";
import { computeRendezvousScore } from "./session-affinity.ts";
import type { ChannelBreakers } from "./channel-breakers.ts";
import type { Latencies } from "./latencies.ts";
import type { Cooldowns } from "./cooldowns.ts";
import { drawChannel, getChannelWeight } from "./weighted-draw.ts";

/** A call's routing preferences among healthy channels. */
export type RoutingPreferences = {
  readonly model: string;
  /** Session affinity: keeps a conversation on one channel and key. */
  readonly conversation?: string;
  /** Prefers channels that were fast under this latency key. */
  readonly latencyKey?: string;
  /** Leaves out keys with an open breaker or in cooldown: another model serves the call. */
  readonly isHealthyOnly?: boolean;
};

/** After so many draws of unavailable channels all are considered. */
const DRAWS_MAX = 8;
const NO_PREFERENCE: RoutingPreferences = { model: "" };

type Deps = {
  readonly health: ChannelBreakers;
  readonly random: () => number;
  readonly onChoice?: (choice: Choice) => void;
  readonly cooldowns?: Pick<Cooldowns, "isCoolingDown">;
  readonly latencies?: Pick<Latencies, "factors">;
};

const getWeight = ({ channel }: Choice): number => getChannelWeight(channel);

function pickBy(candidates: readonly Choice[], getFigure: (candidate: Choice) => number): Choice | undefined {
  let best: Choice | undefined;
  let highest = -1;
  for (const candidate of candidates) {
    const figure = getFigure(candidate);
    if (figure <= highest) continue;
    highest = figure;
    best = candidate;
  }
  return best;
}

function pickWeighted(
  candidates: readonly Choice[],
  latencyKey: string | undefined,
  { latencies, random }: Pick<Deps, "latencies" | "random">,
): Choice | undefined {
  const ids = latencyKey === undefined ? [] : candidates.map(({ channel }) => channel.id);
  const factors = latencyKey === undefined ? undefined : latencies?.factors(ids, latencyKey);
  const weight = (candidate: Choice, index: number): number => getWeight(candidate) * (factors?.[index] ?? 1);
  let point = random() * candidates.reduce((sum, candidate, index) => sum + weight(candidate, index), 0);
  for (const [index, candidate] of candidates.entries()) {
    point -= weight(candidate, index);
    if (point < 0) return candidate;
  }
  return candidates.at(-1);
}

/** The channel that a conversation stays on while it is a candidate. */
const pickByAffinity = (candidates: readonly Choice[], conversation: string): Choice | undefined =>
  pickBy(candidates, (each) => computeRendezvousScore(conversation, String(each.channel.id), getWeight(each)));

type Rule = {
  readonly healthyOnly: boolean;
  readonly newChannelOnly: boolean;
  readonly preferences: RoutingPreferences;
};

export type Chooser = Pick<ChannelChooser, "choose">;

/**
 * Chooses the next channel and key of a call: the highest tier with an untried candidate, by weight, skipping those
 * with an open breaker or in cooldown; keys round-robin. If only skipped ones are left, one of them gets a half-open
 * probe, unless the call prefers none. Never the same key twice in a call, and no channel twice while an untried one exists.
 */
export class ChannelChooser {
  readonly #deps: Deps;
  readonly #nextKey = new Map<number, number>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  choose(tiers: Tiers, tried: readonly Choice[], preferences: RoutingPreferences = NO_PREFERENCE): Choice | undefined {
    const choice =
      (tried.length === 0 ? this.#draw(tiers[0], preferences) : undefined) ??
      this.#pickFrom(tiers, tried, { healthyOnly: true, newChannelOnly: true, preferences }) ??
      this.#pickFrom(tiers, tried, { healthyOnly: true, newChannelOnly: false, preferences }) ??
      (preferences.isHealthyOnly === true ? undefined : this.#pickProbe(tiers, tried, preferences));
    if (!choice) return undefined;
    this.#nextKey.set(choice.channel.id, choice.channel.keys.indexOf(choice.key) + 1);
    this.#deps.onChoice?.(choice);
    return choice;
  }

  /** One of the keys that are skipped while others are left; at last a key of a channel whose others failed. */
  #pickProbe(tiers: Tiers, tried: readonly Choice[], preferences: RoutingPreferences): Choice | undefined {
    return (
      this.#pickFrom(tiers, tried, { healthyOnly: false, newChannelOnly: true, preferences }) ??
      this.#pickFrom(tiers, tried, { healthyOnly: false, newChannelOnly: false, preferences })
    );
  }

  /**
   * The first choice of a call without preferences: draws by weight until a channel is available, which chooses as
   * `#pickFrom` does without looking at every channel.
   */
  #draw(tier: readonly RoutedChannel[] | undefined, preferences: RoutingPreferences): Choice | undefined {
    if (!tier || preferences.conversation !== undefined || preferences.latencyKey !== undefined) return undefined;
    for (let count = 0; count < DRAWS_MAX; count++) {
      const channel = drawChannel(tier, this.#deps.random());
      if (!channel) return undefined;
      const key = this.#pickKey(channel, [], { healthyOnly: true, newChannelOnly: true, preferences });
      if (key !== undefined) return { channel, key };
    }
    return undefined;
  }

  #isAvailable(channel: RoutedChannel, key: string, model: string): boolean {
    const { health, cooldowns } = this.#deps;
    return health.isHealthy(channel.id, key) && cooldowns?.isCoolingDown(channel.id, key, model) !== true;
  }

  #pickKey(channel: RoutedChannel, tried: readonly Choice[], rule: Rule): string | undefined {
    const { model, conversation } = rule.preferences;
    const count = channel.keys.length;
    const from = this.#nextKey.get(channel.id) ?? 0;
    let preferred: string | undefined;
    let highest = -1;
    for (let step = 0; step < count; step++) {
      const key = channel.keys[(from + step) % count];
      if (key === undefined || (rule.healthyOnly && !this.#isAvailable(channel, key, model))) continue;
      if (tried.some((choice) => choice.channel.id === channel.id && choice.key === key)) continue;
      if (conversation === undefined || count === 1) return key;
      const score = computeRendezvousScore(conversation, `${channel.id}/${key}`);
      if (score > highest) [preferred, highest] = [key, score];
    }
    return preferred;
  }

  #pickFrom(tiers: Tiers, tried: readonly Choice[], rule: Rule): Choice | undefined {
    const { conversation, latencyKey } = rule.preferences;
    for (const tier of tiers) {
      const candidates: Choice[] = [];
      for (const channel of tier) {
        if (rule.newChannelOnly && tried.some((choice) => choice.channel.id === channel.id)) continue;
        const key = this.#pickKey(channel, tried, rule);
        if (key !== undefined)
          candidates.push(latencyKey === undefined ? { channel, key } : { channel, key, latencyKey });
      }
      const choice =
        conversation === undefined
          ? pickWeighted(candidates, latencyKey, this.#deps)
          : pickByAffinity(candidates, conversation);
      if (choice) return choice;
    }
    return undefined;
  }
}
