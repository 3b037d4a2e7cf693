/**
 * Starts tracing when OTEL_EXPORTER_OTLP_ENDPOINT is set; loaded before main.ts by `node --import`. Without it nothing
 * is loaded, so that installs without tracing pay nothing. Spans carry no bodies, headers or keys. Turnpike's own
 * client and server trace gRPC (tracing.ts).
 */
if (process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] !== undefined) {
  const [
    { NodeSDK },
    { OTLPTraceExporter },
    { HttpInstrumentation },
    { UndiciInstrumentation },
    { MongoDBInstrumentation },
  ] = await Promise.all([
    import("@opentelemetry/sdk-node"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/instrumentation-http"),
    import("@opentelemetry/instrumentation-undici"),
    import("@opentelemetry/instrumentation-mongodb"),
  ]);
  const { redactUrl } = await import("./span-redaction.ts");
  const { IORedisInstrumentation } = await import("@opentelemetry/instrumentation-ioredis");
  const sdk = new NodeSDK({
    traceExporter: new OTLPTraceExporter(),
    instrumentations: [
      new HttpInstrumentation({
        // Probes and scrapes are not traced.
        ignoreIncomingRequestHook: ({ url = "" }) => url === "/live" || url === "/ready" || url === "/metrics",
        requestHook: (span, request) => {
          if ("url" in request) redactUrl(span, request.url ?? "");
        },
      }),
      new UndiciInstrumentation({
        requestHook: (span, { origin, path }) => redactUrl(span, `${origin}${path}`),
      }),
      new MongoDBInstrumentation({ enhancedDatabaseReporting: false }),
      // Arguments of Redis commands contain session ids and balances.
      new IORedisInstrumentation({ dbStatementSerializer: (command) => command }),
    ],
  });
  sdk.start();
  process.once("SIGTERM", () => void sdk.shutdown());
}
