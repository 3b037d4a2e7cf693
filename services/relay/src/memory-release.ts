import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Logger } from "@turnpike/shared/log/log";

type CollectGarbage = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;
type Deps = {
  /** Calls being served. */
  readonly inFlight: () => number;
  /** Calls that ever began: those that come and go between two looks are no lull. */
  readonly begun: () => number;
  readonly residentBytes: () => number;
  readonly collect: () => void;
  readonly log: Logger;
};

const LOOK_MS = 1_000;
/** Looks without a call in a row before it is worth a pause: such a collection also drops compiled code, so a short lull must not bring it. */
const QUIET_LOOKS = 20;
/** Growth over the level after the last giving back that makes it worth a pause. */
const GROWTH = 1.2;

/**
 * Under load V8 lets garbage grow to several times what is used before it looks; a relay uses some 50 MB and took 300. By sixty
 * percent it stays near 200 and answers as many calls.
 */
const GROWTH_BETWEEN_COLLECTIONS_PERCENT = 60;

/**
 * V8's most thorough collection, which also shrinks the young generation; some ten milliseconds during which nothing else runs. V8's
 * own, which come after two quiet seconds, stop (a quarter of a second each, and the calls after a lull began with cold code).
 */
export function createCollector(): () => void {
  setFlagsFromString("--no-memory-reducer");
  setFlagsFromString(`--heap-growing-percent=${GROWTH_BETWEEN_COLLECTIONS_PERCENT}`);
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as CollectGarbage;
  return () => collect({ type: "major", execution: "sync", flavor: "last-resort" });
}

/**
 * Returns to the system what a busy spell made the heap grow to, once no call has been running for some seconds: V8 itself collects
 * only when something is allocated, so that a relay after a peak would keep its largest size for good. Answers how to stop.
 */
export function releaseMemory(deps: Deps): () => void {
  let quietLooks = 0;
  let begunBefore = deps.begun();
  let settledBytes = deps.residentBytes();
  const look = (): void => {
    const begun = deps.begun();
    quietLooks = deps.inFlight() === 0 && begun === begunBefore ? quietLooks + 1 : 0;
    begunBefore = begun;
    if (quietLooks !== QUIET_LOOKS || deps.residentBytes() < settledBytes * GROWTH) return;
    const before = deps.residentBytes();
    deps.collect();
    settledBytes = deps.residentBytes();
    deps.log.debug({ before, after: settledBytes }, "memory was given back");
  };
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
