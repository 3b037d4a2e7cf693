import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { Logger } from "@turnpike/shared/log/log";
import type { Admit } from "../admission/admission.ts";
import type { Principal } from "../core/call/caller.ts";
import type { AttemptOutcomes } from "../pipeline/settle/attempt-outcome.ts";
import type { HandleCall } from "../core/call/exchange.ts";
import { checkOrigin, findTextRefusal } from "../content-policy/content-policy.ts";
import { textOfFields } from "../accounting/tokens/token-estimate.ts";
import type { OpenMeter } from "../accounting/holds/call-meter.ts";
import { createPlayground } from "./routes/playground.ts";
import { createRealtimeHandler } from "./realtime/realtime-handler.ts";
import type { Chooser } from "../routing/channel-chooser.ts";
import type { Health } from "../routing/health.ts";
import type { RoutingTable } from "../routing/routing-table.ts";
import { createRouteHandlers } from "./routes/route-handlers.ts";
import type { TaskHandlers } from "./tasks/tasks.ts";
import type { Tokenizer } from "../accounting/tokens/tokenizer.ts";
import type { GetTokenBalance } from "./routes/billing-routes.ts";

type Deps = {
  readonly bodyBytesMax: number;
  readonly connectTimeoutMs: number;
  readonly realtimeIdleMs: number;
  readonly admit: Admit;
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly handleCall: HandleCall;
  readonly table: () => RoutingTable;
  readonly options: () => OptionsInForce;
  readonly chooser: Chooser;
  readonly health: Health;
  readonly observer: AttemptOutcomes;
  readonly openMeter: OpenMeter;
  readonly getPrincipal: (userId: number) => Promise<Principal>;
  readonly verifyPlayground: (header: string) => number | undefined;
  readonly getTokenBalance: GetTokenBalance;
  readonly tokenizer: Tokenizer;
  readonly tasks: TaskHandlers;
  readonly now: () => number;
  readonly log: Logger;
};

const CLIENT_TEXT_FIELDS = ["item", "response", "session"];

/** What the listener serves: the routes of the model API over HTTP, and Realtime sessions over WebSocket. */
export function createEntryPoints(deps: Deps) {
  const { options } = deps;
  const playground = createPlayground({
    getPrincipal: deps.getPrincipal,
    verify: deps.verifyPlayground,
    options,
  });
  return {
    serveRoute: createRouteHandlers({
      ...deps,
      playground,
      checkOrigin: (headers: IncomingHttpHeaders): void => checkOrigin(headers, options()),
    }),
    realtime: createRealtimeHandler({
      ...deps,
      refusal: (call, { event }) =>
        event && findTextRefusal(call, options(), textOfFields(event, CLIENT_TEXT_FIELDS).text),
      connectMs: deps.connectTimeoutMs,
      idleMs: deps.realtimeIdleMs,
    }),
  };
}
