import { type Attributes, context, propagation, SpanKind, trace } from "@opentelemetry/api";

/** Whether spans are collected; without tracing everything below costs this one check. */
export const isTracing = process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] !== undefined;

/** Adds attributes to the current span. Never content, keys, or personal data. */
export function tagSpan(attributes: Attributes): void {
  if (isTracing) trace.getActiveSpan()?.setAttributes(attributes);
}

/** Adds the request id to the current span; the response header, the log row and the log lines carry it too. */
export function tagRequest(requestId: string): void {
  if (isTracing) trace.getActiveSpan()?.setAttribute("turnpike.request_id", requestId);
}

type Carrier = { get: (key: string) => readonly unknown[]; set: (key: string, value: string) => void };

/** Puts the current trace into the metadata of a call to another service. */
export function sendTrace(metadata: Carrier): void {
  if (isTracing) propagation.inject(context.active(), metadata, { set: (to, key, value) => to.set(key, value) });
}

const asHeader = (headers: Record<string, string>, name: string, value: string): void => {
  headers[name] = value;
};

/** The headers by which an HTTP call continues the current trace; none without tracing. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  if (isTracing) propagation.inject(context.active(), headers, { set: asHeader });
  return headers;
}

/**
 * Runs a served call in its own span, within the trace that its metadata names; without tracing it only runs the call.
 */
export function inSpan<Result>(
  call: { readonly name: string; readonly requestId: string; readonly metadata: Carrier },
  run: () => Promise<Result>,
): Promise<Result> {
  if (!isTracing) return run();
  const from = propagation.extract(context.active(), call.metadata, {
    get: (carrier, key) => carrier.get(key).map(String),
    keys: () => ["traceparent", "tracestate"],
  });
  const attributes = { "rpc.system": "grpc", "turnpike.request_id": call.requestId };
  const span = trace.getTracer("turnpike").startSpan(call.name, { kind: SpanKind.SERVER, attributes }, from);
  return context.with(trace.setSpan(from, span), run).finally(() => span.end());
}
