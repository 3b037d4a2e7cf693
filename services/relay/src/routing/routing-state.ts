import { createActivity } from "./activity.ts";
import { ChannelChooser } from "./channel-chooser.ts";
import { createChannelBreakers } from "./channel-breakers.ts";
import { createLatencies } from "./latencies.ts";
import { createCooldowns } from "./cooldowns.ts";

/** This relay's knowledge about channels, and the chooser based on it. `hash` makes the names that identify keys. */
export function createRoutingState(deps: { hash: (key: string) => string; now: () => number }) {
  const health = createChannelBreakers(deps.now);
  const activity = createActivity({ health, hash: deps.hash, now: deps.now });
  const cooldowns = createCooldowns(deps.now);
  const latencies = createLatencies(deps.now);
  const chooser = new ChannelChooser({ health, cooldowns, latencies, random: Math.random, onChoice: activity.chosen });
  return { health, activity, cooldowns, latencies, chooser };
}
