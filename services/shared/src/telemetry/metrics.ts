import { collectDefaultMetrics, Registry } from "prom-client";

/**
 * The process's metrics; the ops server exposes them. Labels are bounded: never users, tokens, or text from callers.
 */
export const registry = new Registry();
// The delay of the event loop is sampled by a timer: at the default of 10 ms an idle process wakes a hundred times a second.
collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 });
