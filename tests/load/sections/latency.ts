import { type Bench, type Kind, say } from "../bench.ts";
import { latencyAt } from "../measure.ts";

const RATE_PER_SECOND = 500;
const THROUGH = ["upstream", "bare proxy", "relay"] as const;
type Name = (typeof THROUGH)[number];

/** What the relay and the bare proxy add to upstream's own time at a steady rate; answers how many answers were not good. */
export async function measureLatency(bench: Bench, kind: Kind, seconds: number): Promise<number> {
  const measured = new Map<Name, Awaited<ReturnType<typeof latencyAt>>[string]>();
  // One after the other: together they would be a load of their own.
  for (const name of THROUGH) {
    const { [name]: result } = await latencyAt(RATE_PER_SECOND, seconds, { [name]: bench.target(name, kind) });
    if (result) measured.set(name, result);
  }
  const base = measured.get("upstream");
  say(`\nlatency at ${RATE_PER_SECOND} calls a second, ${kind} answers, in ms (added = above upstream itself)`);
  let failed = 0;
  for (const [name, { whole, firstByte }] of measured) {
    const added = (value: number, of: number | undefined): string =>
      `${value.toFixed(2)} (+${(value - (of ?? 0)).toFixed(2)})`;
    say(
      `  ${name.padEnd(12)} p50 ${added(whole.p50Ms, base?.whole.p50Ms)}  p99 ${added(whole.p99Ms, base?.whole.p99Ms)}  first byte p50 ${added(firstByte.p50Ms, base?.firstByte.p50Ms)} p99 ${added(firstByte.p99Ms, base?.firstByte.p99Ms)}  failed ${whole.failed}`,
    );
    failed += whole.failed;
  }
  return failed;
}
