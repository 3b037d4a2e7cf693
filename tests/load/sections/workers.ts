import { type Bench, type Kind, OTHER_CORES, RELAY_CORE, print, startBench } from "../bench.ts";
import { recordFigure } from "../figures.ts";
import { cpuMs, pinProcess, throughput } from "../measure.ts";
import { warmUp } from "./rates.ts";

const WORKERS = [1, 2];
const KINDS: readonly Kind[] = ["whole", "stream"];
const CONNECTIONS = 64;

type Use = {
  readonly perSecond: number;
  /** Processor time per call, in microseconds: of all workers, and of all other services and stores. */
  readonly relayUs: number;
  readonly otherUs: number;
  /** The busiest worker's part of the workers' processor time. */
  readonly busiestShare: number;
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function getOtherPids({ world, relayPids }: Bench): number[] {
  const relays = new Set(relayPids());
  const services = world.specs.map(({ name }) => world.pid(name) ?? 0);
  const stores = (["mongodb", "redis", "nats"] as const).map((name) => world.backingPid(name) ?? 0);
  return [...services, ...stores].filter((pid) => pid > 0 && !relays.has(pid));
}

async function measureUse(bench: Bench, kind: Kind, seconds: number): Promise<{ use: Use; failed: number }> {
  const [relays, others] = [bench.relayPids(), getOtherPids(bench)];
  const before = { relays: relays.map(cpuMs), others: others.map(cpuMs) };
  const options = { seconds, connections: CONNECTIONS, cores: OTHER_CORES };
  const { perSecond, failed } = await throughput(bench.target("relay", kind), options);
  const used = relays.map((pid, index) => cpuMs(pid) - (before.relays[index] ?? 0));
  const calls = perSecond * seconds;
  const relayUs = (sum(used) * 1_000) / calls;
  const otherUs = ((sum(others.map(cpuMs)) - sum(before.others)) * 1_000) / calls;
  return { use: { perSecond, relayUs, otherUs, busiestShare: Math.max(...used) / sum(used) }, failed };
}

/**
 * One and two workers (`RELAY_WORKERS`) on both cores, next to the load generator, the upstream and the stores. Those
 * take most of the second core, so that the rate shows less than what two workers can do: processor time per call that
 * stays the same, and halves that are equal, show that two free cores serve twice as much. Returns the number of failed
 * responses.
 */
export async function measureWorkers(seconds: number): Promise<number> {
  let failures = 0;
  print("\nworkers of the relay that share a port, on both cores");
  for (const workers of WORKERS) {
    const bench = await startBench(workers);
    try {
      for (const pid of bench.relayPids()) pinProcess(pid, `${RELAY_CORE},${OTHER_CORES}`);
      await warmUp(bench, seconds);
      for (const kind of KINDS) {
        const { use, failed } = await measureUse(bench, kind, seconds);
        failures += failed;
        print(
          `  ${workers} × ${kind.padEnd(7)} ${use.perSecond.toFixed(0).padStart(5)} /s   processor time per call: relay ${use.relayUs.toFixed(0)} µs, other services and stores ${use.otherUs.toFixed(0)} µs; the busiest worker does ${(use.busiestShare * 100).toFixed(0)} %`,
        );
        recordFigure(
          `${workers} ${workers === 1 ? "worker" : "workers"} (${kind})`,
          `${use.relayUs.toFixed(0)} µs of processor time per call, the busiest does ${(use.busiestShare * 100).toFixed(0)} %`,
        );
      }
    } finally {
      await bench.stop();
    }
  }
  return failures;
}
