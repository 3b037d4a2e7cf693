import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { enterContent } from "../content-rules/content-rules.ts";
import { contentSettings } from "../content-rules/relay-settings.ts";
import { RelayError } from "../errors/relay-error.ts";
import { EVENTS } from "./caller-stream.ts";
import { answerContextOf, type ChatCall } from "./chat-call.ts";
import type { Exchange } from "./exchange.ts";
import { startKeepAlive } from "./keep-alive.ts";
import type { ServeChat } from "./serve-chat.ts";

function endInStream(call: ChatCall, exchange: Exchange, error: RelayError): void {
  if (exchange.isGone()) return;
  exchange.response.end(call.dialect.newStreamWriter(answerContextOf(call)).fail(error, call.requestId));
}

/** Serves a stream whose silence comments may break; once one has gone out, the stream itself tells of failures. */
async function serveAlive(serve: ServeChat, call: ChatCall, exchange: Exchange, pingMs: number): Promise<void> {
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

/** Serves calls under the site's rules on content: what may be asked, what may be answered, and how silence is kept alive. */
export function withContentRules(serve: ServeChat, options: () => OptionsInForce): ServeChat {
  const run = (call: ChatCall, exchange: Exchange): Promise<void> => {
    const { pingMs } = contentSettings(options());
    const isOfEvents = call.stream && call.dialect.endpoint?.answersBytes !== true;
    return isOfEvents ? serveAlive(serve, call, exchange, pingMs) : serve(call, exchange);
  };
  return (call, exchange) => {
    const entering = enterContent(call, options());
    return entering ? entering.then(() => run(call, exchange)) : run(call, exchange);
  };
}
