import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Logger } from "@turnpike/shared/log/log";

type CollectGarbage = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;
type Deps = {
  /** Number of calls in progress. */
  readonly inFlight: () => number;
  /** Number of calls ever started: calls that start and end between two checks mean that the relay is not idle. */
  readonly begun: () => number;
  readonly residentBytes: () => number;
  readonly collect: () => void;
  readonly log: Logger;
};

const CHECK_MS = 1_000;
/**
 * Consecutive checks without a call before a collection: it also drops compiled code, so a short idle period must not
 * trigger it.
 */
const IDLE_CHECKS = 20;
/** Minimum growth since the last collection to justify the pause. */
const GROWTH = 1.2;

/**
 * Under load V8 lets garbage grow to several times the live heap before it collects; a relay uses some 50 MB and grew
 * to 300. With sixty percent it stays near 200 at the same throughput.
 */
const GROWTH_BETWEEN_COLLECTIONS_PERCENT = 60;

/**
 * V8's most thorough collection, which also shrinks the young generation; it blocks the process for some ten
 * milliseconds. V8's own idle-time collections, which run after two idle seconds, are disabled (a quarter of a second
 * each, and the next calls started with cold code).
 */
export function createCollector(): () => void {
  setFlagsFromString("--no-memory-reducer");
  setFlagsFromString(`--heap-growing-percent=${GROWTH_BETWEEN_COLLECTIONS_PERCENT}`);
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as CollectGarbage;
  return () => collect({ type: "major", execution: "sync", flavor: "last-resort" });
}

/**
 * Returns heap memory to the system after peak load, once no call has run for some seconds: V8 itself only collects
 * when memory is allocated, so a relay would keep its peak size forever. Returns a function that stops this.
 */
export function releaseMemory(deps: Deps): () => void {
  let idleChecks = 0;
  let begunBefore = deps.begun();
  let settledBytes = deps.residentBytes();
  const checkOnce = (): void => {
    const begun = deps.begun();
    idleChecks = deps.inFlight() === 0 && begun === begunBefore ? idleChecks + 1 : 0;
    begunBefore = begun;
    if (idleChecks !== IDLE_CHECKS || deps.residentBytes() < settledBytes * GROWTH) return;
    const before = deps.residentBytes();
    deps.collect();
    settledBytes = deps.residentBytes();
    deps.log.debug({ before, after: settledBytes }, "memory released");
  };
  const timer = setInterval(checkOnce, CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
