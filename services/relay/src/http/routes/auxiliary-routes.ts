import type { IncomingMessage } from "node:http";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { statusClass } from "@turnpike/shared/telemetry/http-metrics";
import type { Admit } from "../../admission/admission.ts";
import { readRelayCall } from "../../pipeline/prepare/call-reader.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import { type Exchange, sendJson } from "../../core/call/exchange.ts";
import type { HandleCall } from "../../core/call/exchange.ts";
import { checkOrigin } from "../../content-policy/content-policy.ts";
import { openAiChat } from "../../dialects/openai-chat/openai-chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { callEnded, watchCall } from "../../core/telemetry/call-metrics.ts";
import { type Playground, PLAYGROUND_PATH } from "./playground.ts";
import { getBillingResponse, type BillingCall, findBillingCall, type GetTokenBalance } from "./billing-routes.ts";
import { readBody } from "../server/request-body.ts";

type Deps = {
  readonly admit: Admit;
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly playground: Playground;
  readonly getTokenBalance: GetTokenBalance;
  readonly handleCall: HandleCall;
  readonly options: () => OptionsInForce;
  readonly bodyBytesMax: number;
  readonly now: () => number;
};

export type AuxiliaryRoutes = ReturnType<typeof createAuxiliaryRoutes>;

const REALTIME_PATH = "/v1/realtime";

function needsUpgrade({ response }: Exchange): RelayError {
  response.setHeader("upgrade", "websocket");
  return new RelayError("invalid_request", "Realtime sessions require a WebSocket", { status: 426 });
}

/** Routes of the relay besides the model API: the playground, and the balance endpoints that many clients use. */
export function createAuxiliaryRoutes(deps: Deps) {
  const servePlayground = async (request: IncomingMessage, exchange: Exchange): Promise<void> => {
    const [startedAtMs, watch] = [deps.now(), watchCall()];
    let call: RelayCall | undefined;
    try {
      checkOrigin(request.headers, deps.options());
      const principal = await deps.playground.admit(request.headers);
      const asked = deps.playground.read(principal, await readBody(request, deps.bodyBytesMax));
      const { requestId } = exchange;
      const address = deps.clientAddress(request);
      const { headers } = request;
      call = readRelayCall({ requestId, startedAtMs, address, dialect: openAiChat, headers, watch, ...asked });
      await deps.handleCall(call, exchange);
      callEnded(openAiChat.name, call, watch, "2xx");
    } catch (error) {
      callEnded(openAiChat.name, call, watch, statusClass(error instanceof RelayError ? error.status : 500));
      throw error;
    }
  };
  const serveBilling = async (
    request: IncomingMessage,
    exchange: Exchange,
    path: string,
    asked: BillingCall,
  ): Promise<void> => {
    const { caller } = await deps.admit(request.headers, path, deps.clientAddress(request));
    const answer = await getBillingResponse(asked, caller.known.token.id, deps.getTokenBalance);
    sendJson(exchange, 200, JSON.stringify(answer));
  };
  /** Handles a call to one of these routes; undefined for other paths. */
  return (request: IncomingMessage, exchange: Exchange, path: string): Promise<void> | undefined => {
    if (path === PLAYGROUND_PATH) {
      if (request.method === "POST") return servePlayground(request, exchange);
      throw new RelayError("method_not_allowed", `${request.method ?? ""} is not allowed here`);
    }
    if (path === REALTIME_PATH) throw needsUpgrade(exchange);
    const asked = request.method === "GET" ? findBillingCall(path) : undefined;
    return asked && serveBilling(request, exchange, path, asked);
  };
}
