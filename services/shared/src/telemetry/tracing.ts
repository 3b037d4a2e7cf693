import { type Attributes, trace } from "@opentelemetry/api";

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
