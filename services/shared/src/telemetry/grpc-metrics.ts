import { createCounter, createHistogram } from "./metric-series.ts";

const SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];

/** Calls that this process makes to other services. A warm relay call makes none. */
export const grpcCalls = createCounter({
  name: "turnpike_grpc_client_calls_total",
  help: "gRPC calls to other services by service, method and outcome",
  labelNames: ["method", "outcome"],
});

export const grpcCallSeconds = createHistogram({
  name: "turnpike_grpc_client_seconds",
  help: "Duration of gRPC calls to other services in seconds",
  labelNames: ["method"],
  buckets: SECONDS,
});

export const grpcServed = createHistogram(
  {
    name: "turnpike_grpc_server_seconds",
    help: "Duration of served gRPC calls in seconds",
    labelNames: ["method", "outcome"],
    buckets: SECONDS,
  },
  { seriesMax: 1_000 },
);
