import { type Kind, OTHER_CORES, pause, print, startBench } from "../bench.ts";
import { limitCpu } from "../cpu-share.ts";
import { recordFigure } from "../figures.ts";
import { throughput } from "../measure.ts";

const PROCESSES = [1, 4];
const KINDS: readonly Kind[] = ["whole", "stream"];
/**
 * CPU limit of each process on the shared core: four of them leave a fifth of it idle, so that none waits for another.
 */
const SHARE = 0.2;
const CONNECTIONS = 64;
/** Its group can be removed once the kernel has registered the end of the process. */
const EXIT_MS = 500;

type Rates = Readonly<Record<Kind, number>>;

async function getRates(processes: number, seconds: number): Promise<{ rates: Rates; failed: number } | undefined> {
  const bench = await startBench(processes);
  const groups: (() => void)[] = [];
  try {
    const options = { seconds, connections: CONNECTIONS, cores: OTHER_CORES };
    for (const kind of KINDS) await throughput(bench.target("relay", kind), options);
    for (const pid of bench.relayPids()) {
      const remove = limitCpu(pid, SHARE);
      if (!remove) return undefined;
      groups.push(remove);
    }
    const rates = { whole: 0, stream: 0 };
    let failed = 0;
    for (const kind of KINDS) {
      const result = await throughput(bench.target("relay", kind), options);
      rates[kind] = result.perSecond;
      failed += result.failed;
    }
    return { rates, failed };
  } finally {
    await bench.stop();
    await pause(EXIT_MS);
    for (const remove of groups) remove();
  }
}

/**
 * How throughput scales with several relay processes, each limited to the same share of a core: this shows lock-ups on
 * shared resources even with two CPUs. Returns the number of failed responses.
 */
export async function measureScaling(seconds: number): Promise<number> {
  const found: { rates: Rates; failed: number }[] = [];
  for (const processes of PROCESSES) {
    const result = await getRates(processes, seconds);
    if (!result) {
      print("\nscaling over processes: not measured, the CPU controller of cgroups cannot be used here");
      return 0;
    }
    found.push(result);
  }
  print(`\nscaling over processes, each with ${SHARE * 100} % of a core`);
  for (const kind of KINDS) {
    const [one = 0, four = 0] = found.map(({ rates }) => rates[kind]);
    print(
      `  ${kind.padEnd(7)} one ${one.toFixed(0).padStart(5)} /s   four ${four.toFixed(0).padStart(5)} /s   ${(four / one).toFixed(2)} × one`,
    );
    recordFigure(`four processes with ${SHARE * 100} % of a core each (${kind})`, `${(four / one).toFixed(2)} × one`);
  }
  return found.reduce((sum, { failed }) => sum + failed, 0);
}
