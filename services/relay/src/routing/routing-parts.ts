import { createActivity } from "./activity.ts";
import { createChooser } from "./choose.ts";
import { createHealth } from "./health.ts";
import { createLatencies } from "./latencies.ts";
import { createRests } from "./rests.ts";

/** What this relay knows of how channels do, and the chooser that goes by it. `hash` makes the names that stand for keys. */
export function createRoutingParts(deps: { hash: (key: string) => string; now: () => number }) {
  const health = createHealth(deps.now);
  const activity = createActivity({ health, hash: deps.hash, now: deps.now });
  const rests = createRests(deps.now);
  const latencies = createLatencies(deps.now);
  const chooser = createChooser({ health, rests, latencies, random: Math.random, onChoice: activity.chosen });
  return { health, activity, rests, latencies, chooser };
}
