import type { RoutedChannel } from "../core/call/channel.ts";

/** Weight 0 still gets traffic, as in related gateways: ten is added to every weight. */
const WEIGHT_BASE = 10;

/** The weight of a channel among those of its tier. */
export const getChannelWeight = (channel: RoutedChannel): number => channel.weight + WEIGHT_BASE;

/** Sums of the weights up to each channel, by tier: a routing table's tiers stay the same until it changes. */
const sumsByTier = new WeakMap<readonly RoutedChannel[], Float64Array>();

function getSums(tier: readonly RoutedChannel[]): Float64Array {
  const known = sumsByTier.get(tier);
  if (known) return known;
  const sums = new Float64Array(tier.length);
  let sum = 0;
  for (const [index, channel] of tier.entries()) sums[index] = sum += getChannelWeight(channel);
  sumsByTier.set(tier, sums);
  return sums;
}

/** Draws a channel of a tier by weight, in logarithmic time; `point` is a random number below 1. */
export function drawChannel(tier: readonly RoutedChannel[], point: number): RoutedChannel | undefined {
  const sums = getSums(tier);
  const target = point * (sums.at(-1) ?? 0);
  let from = 0;
  let to = tier.length - 1;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sums[middle] ?? 0) > target) to = middle;
    else from = middle + 1;
  }
  return tier[from];
}
