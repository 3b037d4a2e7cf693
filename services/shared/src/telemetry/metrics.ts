import { collectDefaultMetrics, Counter, Histogram, Registry } from "prom-client";

/** The process's metrics; the ops server shows them. Labels are bounded: never users, tokens, or text from callers. */
export const registry = new Registry();
collectDefaultMetrics({ register: registry });

/** Calls this process made to other services. A warm relay call makes none. */
export const grpcCalls = new Counter({
  name: "turnpike_grpc_client_calls_total",
  help: "gRPC calls made to other services",
  labelNames: ["method", "outcome"],
  registers: [registry],
});

export const grpcServed = new Histogram({
  name: "turnpike_grpc_server_seconds",
  help: "Time to answer gRPC calls",
  labelNames: ["method", "outcome"],
  buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
  registers: [registry],
});
