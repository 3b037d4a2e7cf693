import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Tokenizer } from "../../accounting/tokens/tokenizer.ts";
import type { Admit } from "../../admission/admission.ts";
import type { Exchange, HandleCall } from "../../core/call/exchange.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { RoutingTable } from "../../routing/routing-table.ts";
import type { TaskHandlers } from "../tasks/tasks.ts";
import { createTaskRequest } from "../tasks/task-request.ts";
import { createBillingRoute, type GetTokenBalance } from "./billing-routes.ts";
import { createCallRoute, createPlaygroundRoute } from "./call-routes.ts";
import { createModelsRoute } from "./model-list.ts";
import type { Playground } from "./playground.ts";
import type { Route } from "./route-table.ts";
import { createCountRoute } from "./token-counts.ts";

type Deps = {
  readonly admit: Admit;
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly handleCall: HandleCall;
  readonly table: () => RoutingTable;
  readonly tokenizer: Tokenizer;
  readonly playground: Playground;
  readonly tasks: TaskHandlers;
  readonly getTokenBalance: GetTokenBalance;
  readonly checkOrigin: (headers: IncomingHttpHeaders) => void;
  readonly bodyBytesMax: number;
  readonly now: () => number;
};

/** Serves a request of one route. Throws RelayError while nothing was sent to the client. */
export type ServeRoute = (request: IncomingMessage, exchange: Exchange, path: string, route: Route) => Promise<void>;

function refuseWithoutUpgrade({ response }: Exchange): never {
  response.setHeader("upgrade", "websocket");
  throw new RelayError("invalid_request", "Realtime sessions require a WebSocket", { status: 426 });
}

/** The handler of each kind of route. */
export function createRouteHandlers(deps: Deps): ServeRoute {
  const serveCall = createCallRoute(deps);
  const servePlayground = createPlaygroundRoute(deps);
  const serveModels = createModelsRoute(deps);
  const serveCount = createCountRoute(deps);
  const serveBilling = createBillingRoute(deps);
  /** Only callers with a valid key learn that a path does not exist. */
  const refuseUnimplemented = async (request: IncomingMessage, path: string): Promise<never> => {
    await deps.admit(request.headers, path, deps.clientAddress(request));
    throw new RelayError("api_not_implemented", `${request.method ?? ""} ${path} is not supported by this gateway`);
  };
  return (request, exchange, path, route) => {
    switch (route.kind) {
      case "call":
        return serveCall(request, exchange, path, route);
      case "count":
        return serveCount(request, exchange, path, route);
      case "models":
        return serveModels(request, exchange, path, route);
      case "billing":
        return serveBilling(request, exchange, path, route.report);
      case "playground":
        return servePlayground(request, exchange);
      case "midjourney":
        return deps.tasks.midjourney(createTaskRequest(deps, request, exchange, path), route);
      case "suno":
        return deps.tasks.suno(createTaskRequest(deps, request, exchange, path), route.action);
      case "unimplemented":
        return refuseUnimplemented(request, path);
      case "realtime":
        return refuseWithoutUpgrade(exchange);
    }
  };
}
