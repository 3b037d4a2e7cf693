import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { applyContentPolicy } from "../content-policy/content-policy.ts";
import { contentSettings } from "../content-policy/content-settings.ts";
import { RelayError } from "../core/errors/relay-error.ts";
import { EVENTS } from "./attempt/stream/client-stream.ts";
import { getResponseContext, type RelayCall } from "../core/call/relay-call.ts";
import type { Exchange } from "../core/call/exchange.ts";
import { startKeepAlive } from "../core/call/keep-alive.ts";
import type { HandleCall } from "../core/call/exchange.ts";

function endInStream(call: RelayCall, exchange: Exchange, error: RelayError): void {
  if (exchange.isDisconnected()) return;
  exchange.response.end(call.dialect.newStreamWriter(getResponseContext(call)).fail(error, call.requestId));
}

/** Serves a stream with keep-alive comments; once one was sent, failures are reported inside the stream. */
async function serveAlive(serve: HandleCall, call: RelayCall, exchange: Exchange, pingMs: number): Promise<void> {
  if (pingMs > 0) exchange.keepAlive = startKeepAlive(exchange, pingMs, EVENTS);
  try {
    await serve(call, exchange);
  } catch (error) {
    if (!(error instanceof RelayError) || !exchange.response.headersSent) throw error;
    endInStream(call, exchange, error);
  } finally {
    exchange.keepAlive?.stop();
  }
}

/** Serves calls under the site's content policy: input checks, output filter, and keep-alive settings. */
export function withContentPolicy(serve: HandleCall, options: () => OptionsInForce): HandleCall {
  const run = (call: RelayCall, exchange: Exchange): Promise<void> => {
    const { pingMs } = contentSettings(options());
    const isOfEvents = call.stream && call.dialect.endpoint?.returnsBytes !== true;
    return isOfEvents ? serveAlive(serve, call, exchange, pingMs) : serve(call, exchange);
  };
  return (call, exchange) => {
    const entering = applyContentPolicy(call, options());
    return entering ? entering.then(() => run(call, exchange)) : run(call, exchange);
  };
}
