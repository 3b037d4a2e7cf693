/**
 * Writes a flame graph of the relay under non-streaming ("whole") or streaming ("stream") calls:
 * `node tests/load/flame-graph.ts stream relay.svg`. LOAD_SECONDS is how long it samples.
 */
import { writeFileSync } from "node:fs";
import { type Kind, OTHER_CORES, startBench } from "./bench.ts";
import { profileProcess } from "./cpu-profile.ts";
import { drawFlameGraph } from "./flame-graph-svg.ts";
import { throughput } from "./measure.ts";
import { warmUp } from "./sections/rates.ts";

const SECONDS = Number(process.env["LOAD_SECONDS"] ?? 8);
const CONNECTIONS = 64;

const [kind = "stream", file = "relay.svg"] = process.argv.slice(2);
if (kind !== "whole" && kind !== "stream") throw new Error('the first argument is "whole" or "stream"');

async function main(calls: Kind): Promise<void> {
  const bench = await startBench();
  try {
    await warmUp(bench, SECONDS);
    const options = { seconds: SECONDS, connections: CONNECTIONS, cores: OTHER_CORES };
    const profile = await profileProcess(bench.relayPid(), async () => {
      await throughput(bench.target("relay", calls), options);
    });
    const title = calls === "whole" ? "non-streaming calls" : "streams of 17 events";
    writeFileSync(file, drawFlameGraph(profile, `relay, ${title}, ${CONNECTIONS} connections`));
  } finally {
    await bench.stop();
  }
}

await main(kind);
process.exit(0);
