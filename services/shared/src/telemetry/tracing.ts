import { type Attributes, context, propagation, SpanKind, trace } from "@opentelemetry/api";

/** Whether spans are collected at all; everything below costs this one check where they are not. */
export const isTracing = process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] !== undefined;

/** Says more of the span that runs now. Never content, keys, or anything of a person. */
export function tagSpan(attributes: Attributes): void {
  if (isTracing) trace.getActiveSpan()?.setAttributes(attributes);
}

/** Ties the span that runs now to the request id, which the caller's header, the log row and the logs bear too. */
export function tagRequest(requestId: string): void {
  if (isTracing) trace.getActiveSpan()?.setAttribute("turnpike.request_id", requestId);
}

type Carrier = { get: (key: string) => readonly unknown[]; set: (key: string, value: string) => void };

/** Puts the running trace into the metadata of a call to another service. */
export function sendTrace(metadata: Carrier): void {
  if (isTracing) propagation.inject(context.active(), metadata, { set: (to, key, value) => to.set(key, value) });
}

const asHeader = (headers: Record<string, string>, name: string, value: string): void => {
  headers[name] = value;
};

/** The headers by which an HTTP call goes on with the running trace; none while nothing is traced. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  if (isTracing) propagation.inject(context.active(), headers, { set: asHeader });
  return headers;
}

/** Runs a served call in a span of its own, within the trace that its metadata names; plainly while nothing is traced. */
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
