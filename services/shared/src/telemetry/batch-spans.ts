import { type Attributes, context, type Link, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { isTracing } from "./tracing.ts";

/** A recorded span; callbacks that run outside of it may add to it. */
export type RecordedSpan = Span;

/** W3C Trace Context, version 00: trace, span, flags. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
/** The number of links that SDKs keep, and so the maximum of linked spans per batch. */
const LINKS_MAX = 128;

const tracer = () => trace.getTracer("turnpike");

/** The current span if it is recorded; undefined without tracing and for calls that were not sampled. */
export function getRecordedSpan(): RecordedSpan | undefined {
  if (!isTracing) return undefined;
  const span = trace.getActiveSpan();
  return span?.isRecording() === true ? span : undefined;
}

/** The trace context that a message carries of its recorded span. */
export function toTraceparent(span: RecordedSpan): string {
  const { traceId, spanId } = span.spanContext();
  return `00-${traceId}-${spanId}-01`;
}

/** Opens the span of an outgoing call, below `parent`; the caller ends it. */
export const openClientSpan = (parent: RecordedSpan, name: string, attributes: Attributes): RecordedSpan =>
  tracer().startSpan(name, { kind: SpanKind.CLIENT, attributes }, trace.setSpan(context.active(), parent));

/** Runs a function within a span that is ended elsewhere. */
export const within = <Result>(span: RecordedSpan, run: () => Result): Result =>
  context.with(trace.setSpan(context.active(), span), run);

/** Marks a span as failed, by a fixed word: texts of errors may contain private data. */
export function failSpan(span: RecordedSpan, errorType: string): void {
  span.setAttribute("error.type", errorType);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** A part of a batch: the trace that it comes from, and the request that it belongs to. */
export type BatchPart = { readonly trace?: string | undefined; readonly requestId: string };

/** The first parts whose traces are recorded, one for each span. */
function linkedParts(parts: Iterable<BatchPart>): { readonly requestId: string; readonly link: Link }[] {
  const found = new Map<string, { readonly requestId: string; readonly link: Link }>();
  for (const { trace: traceparent, requestId } of parts) {
    if (traceparent === undefined || found.has(traceparent)) continue;
    const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
    if (traceId === undefined || spanId === undefined || (Number.parseInt(flags ?? "0", 16) & 1) === 0) continue;
    found.set(traceparent, { requestId, link: { context: { traceId, spanId, traceFlags: 1, isRemote: true } } });
    if (found.size === LINKS_MAX) break;
  }
  return [...found.values()];
}

/**
 * Processes a batch of parts that come from many traces: in a span of the batch that links to them, and with a span in
 * each of them (at most 128) that links back. Without tracing it only runs the function.
 */
export async function withBatchSpan<Result>(
  batch: { readonly name: string; readonly attributes: Attributes; readonly parts: () => Iterable<BatchPart> },
  run: () => Promise<Result>,
): Promise<Result> {
  if (!isTracing) return run();
  const parts = linkedParts(batch.parts());
  const options = { kind: SpanKind.CONSUMER, attributes: batch.attributes };
  const span = tracer().startSpan(batch.name, { ...options, root: true, links: parts.map(({ link }) => link) });
  const spans = parts.map(({ requestId, link }) => {
    const attributes = { ...batch.attributes, "turnpike.request_id": requestId };
    const own = { ...options, attributes, links: [{ context: span.spanContext() }] };
    return tracer().startSpan(batch.name, own, trace.setSpanContext(context.active(), link.context));
  });
  try {
    return await within(span, run);
  } catch (error) {
    for (const each of [span, ...spans]) failSpan(each, error instanceof Error ? error.name : "unknown");
    throw error;
  } finally {
    for (const each of [span, ...spans]) each.end();
  }
}
