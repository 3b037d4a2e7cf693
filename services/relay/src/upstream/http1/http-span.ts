import {
  failSpan,
  getRecordedSpan,
  openClientSpan,
  type RecordedSpan,
  within,
} from "@turnpike/shared/telemetry/batch-spans";
import { stripQuery } from "@turnpike/shared/telemetry/span-redaction";
import { traceHeaders } from "@turnpike/shared/telemetry/tracing";
import type { Dispatcher } from "undici";
import type { DispatchOptions } from "./http1-client.ts";

type Handler = Dispatcher.DispatchHandler & { readonly onRequestSent?: () => void };

/** Passes everything on to the handler of a call and records its status and end. */
class SpanHandler implements Dispatcher.DispatchHandler {
  readonly #handler: Handler;
  readonly #span: RecordedSpan;

  constructor(handler: Handler, span: RecordedSpan) {
    this.#handler = handler;
    this.#span = span;
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#handler.onRequestStart?.(controller, context);
  }

  onRequestSent(): void {
    this.#handler.onRequestSent?.();
  }

  onResponseStart(...[controller, status, headers]: Parameters<NonNullable<Handler["onResponseStart"]>>): void {
    this.#span.setAttribute("http.response.status_code", status);
    if (status >= 400) failSpan(this.#span, String(status));
    this.#handler.onResponseStart?.(controller, status, headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#handler.onResponseData?.(controller, chunk);
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    this.#span.end();
    this.#handler.onResponseEnd?.(controller, {});
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    failSpan(this.#span, error.name);
    this.#span.end();
    this.#handler.onResponseError?.(controller, error);
  }
}

/**
 * The options and handler of a call in a separate span, named by OpenTelemetry's HTTP conventions and sent on to the
 * provider; unchanged for calls that are not recorded. Queries are left out, because some providers' keys are in them.
 */
export function withHttpSpan(
  options: DispatchOptions,
  handler: Handler,
): { readonly options: DispatchOptions; readonly handler: Handler } {
  const parent = getRecordedSpan();
  if (!parent) return { options, handler };
  const { method, origin, path } = options;
  const span = openClientSpan(parent, method, {
    "http.request.method": method,
    "server.address": new URL(origin).hostname,
    "url.full": stripQuery(origin + path),
  });
  const headers = within(span, traceHeaders);
  return {
    options: { ...options, headers: { ...options.headers, ...headers } },
    handler: new SpanHandler(handler, span),
  };
}
