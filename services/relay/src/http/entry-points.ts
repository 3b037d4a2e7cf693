import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { Logger } from "@turnpike/shared/log/log";
import type { Admit } from "../admission/admission.ts";
import type { Principal } from "../core/call/caller.ts";
import type { AttemptOutcomes } from "../pipeline/settle/attempt-outcome.ts";
import type { FailureLog } from "../pipeline/settle/failure-log.ts";
import type { HandleCall } from "../core/call/exchange.ts";
import { checkOrigin, findTextRefusal } from "../content-policy/content-policy.ts";
import { collectFieldText } from "../accounting/tokens/token-estimate.ts";
import type { OpenMeter } from "../accounting/holds/meters/metering.ts";
import { createPlayground } from "./routes/playground.ts";
import { HUGGING_FACE_PREFIX, MODEL_API_PATHS } from "@turnpike/contract/api/models/model-api-paths";
import { RealtimeHandler } from "./realtime/realtime-handler.ts";
import { ResponsesSocketHandler } from "./responses-socket/responses-socket-handler.ts";
import { createUpgrades, type ServeUpgrade } from "./sockets/upgrades.ts";
import type { Chooser } from "../routing/channel-chooser.ts";
import type { ChannelBreakers } from "../routing/channel-breakers.ts";
import type { RoutingTable } from "../routing/routing-table.ts";
import { createRouteHandlers } from "./routes/route-handlers.ts";
import type { IdempotentCalls } from "../pipeline/idempotency/idempotent-calls.ts";
import type { OwnerLiveness } from "../pipeline/idempotency/owner-liveness.ts";
import type { ResponseOwners } from "../pipeline/stored-responses/response-owners.ts";
import type { StoredResponses } from "../pipeline/stored-responses/stored-responses.ts";
import type { StateCodec } from "../pipeline/provider-state/state-codec.ts";
import type { UpstreamClient } from "../upstream/upstream-client.ts";
import type { TaskHandlers } from "../tasks/tasks.ts";
import type { Tokenizer } from "../accounting/tokens/tokenizer.ts";
import type { FindLogRow } from "./routes/key-routes.ts";
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
  readonly health: ChannelBreakers;
  readonly observer: AttemptOutcomes;
  readonly failures: FailureLog;
  readonly openMeter: OpenMeter;
  readonly getPrincipal: (userId: number) => Promise<Principal>;
  readonly verifyPlayground: (header: string, nowSeconds: number) => number | undefined;
  /** The time by which all relays measure windows. */
  readonly getTimeMs: () => number;
  readonly getTokenBalance: GetTokenBalance;
  readonly findLogRow: FindLogRow;
  readonly client: UpstreamClient;
  readonly stateCodec: StateCodec;
  readonly tokenizer: Tokenizer;
  readonly tasks: TaskHandlers;
  readonly responses: StoredResponses;
  readonly owners: OwnerLiveness;
  readonly responseOwners: ResponseOwners;
  readonly idempotentCalls: IdempotentCalls;
  readonly now: () => number;
  readonly log: Logger;
};

/** The WebSockets by path; other prefixes than `/v1` are served as over HTTP. */
function createUpgradeRoutes(served: Readonly<Record<string, ServeUpgrade>>) {
  return (path: string): ServeUpgrade | undefined => {
    const own = path.startsWith(`${HUGGING_FACE_PREFIX}/`) ? path.slice(HUGGING_FACE_PREFIX.length) : path;
    return served[own] ?? served[`/v1${own}`];
  };
}

const CLIENT_TEXT_FIELDS = ["item", "response", "session"];

/** What the listener serves: the routes of the model API over HTTP, and WebSockets: Realtime sessions and responses. */
export function createEntryPoints(deps: Deps) {
  const { options } = deps;
  const playground = createPlayground({
    getPrincipal: deps.getPrincipal,
    verify: (header) => deps.verifyPlayground(header, Math.floor(deps.getTimeMs() / 1000)),
    options,
  });
  const refuseOrigin = (headers: IncomingHttpHeaders): void => checkOrigin(headers, options());
  const sockets = { idleMs: deps.realtimeIdleMs };
  const realtime = new RealtimeHandler({
    ...deps,
    ...sockets,
    refusal: (call, { event }) =>
      event && findTextRefusal(call, options(), collectFieldText(event, CLIENT_TEXT_FIELDS).text),
    connectMs: deps.connectTimeoutMs,
  });
  const responses = new ResponsesSocketHandler({ ...deps, ...sockets, checkOrigin: refuseOrigin });
  return {
    serveRoute: createRouteHandlers({ ...deps, playground, checkOrigin: refuseOrigin }),
    upgrade: createUpgrades({
      ...deps,
      find: createUpgradeRoutes({
        [MODEL_API_PATHS.realtime]: (upgrade, requestId) => realtime.upgrade(upgrade, requestId),
        [MODEL_API_PATHS.responses]: (upgrade, requestId) => responses.upgrade(upgrade, requestId),
      }),
    }),
    /** Ends WebSockets after their responses in progress. */
    drainSockets: (): void => {
      realtime.drain();
      responses.drain();
    },
  };
}
