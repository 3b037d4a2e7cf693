import { collectDefaultMetrics, Registry } from "prom-client";

/** The process's metrics; the ops server shows them. Labels are bounded: never users, tokens, or text from callers. */
export const registry = new Registry();
collectDefaultMetrics({ register: registry });
