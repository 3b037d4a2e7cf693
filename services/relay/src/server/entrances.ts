import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { Logger } from "@turnpike/shared/log/log";
import type { Admit } from "../admission/admit.ts";
import type { Principal } from "../admission/caller-directory.ts";
import type { AttemptObserver } from "../calls/attempt-observer.ts";
import type { ServeChat } from "../calls/serve-chat.ts";
import type { RelayConfig } from "../config.ts";
import { checkOrigin, refusalOfText } from "../content-rules/content-rules.ts";
import { textOfFields } from "../metering/estimate.ts";
import type { OpenMeter } from "../metering/call-meter.ts";
import { createPlayground } from "../playground/playground.ts";
import { createServeRealtime } from "../realtime/serve-realtime.ts";
import type { Chooser } from "../routing/choose.ts";
import type { Health } from "../routing/health.ts";
import type { RoutingTable } from "../routing/routing-table.ts";
import { createBesideModels } from "./beside-models.ts";
import type { GetTokenBalance } from "./billing-answers.ts";

type Deps = {
  readonly config: RelayConfig;
  readonly admit: Admit;
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly serveChat: ServeChat;
  readonly table: () => RoutingTable;
  readonly options: () => OptionsInForce;
  readonly chooser: Chooser;
  readonly health: Health;
  readonly observer: AttemptObserver;
  readonly openMeter: OpenMeter;
  readonly getPrincipal: (userId: number) => Promise<Principal>;
  readonly verifyPlayground: (header: string) => number | undefined;
  readonly getTokenBalance: GetTokenBalance;
  readonly now: () => number;
  readonly log: Logger;
};

const CALLERS_WORDS = ["item", "response", "session"];

/** The ways in beside plain calls of models: live conversations, the playground, balances; and what each caller is asked first. */
export function createEntrances(deps: Deps) {
  const { config, options } = deps;
  const bodyBytesMax = config.BODY_LIMIT_MB * 1024 * 1024;
  const playground = createPlayground({
    getPrincipal: deps.getPrincipal,
    verify: deps.verifyPlayground,
    options,
  });
  return {
    bodyBytesMax,
    beside: createBesideModels({ ...deps, playground, bodyBytesMax }),
    checkOrigin: (headers: IncomingHttpHeaders): void => checkOrigin(headers, options()),
    realtime: createServeRealtime({
      ...deps,
      refusal: (call, { event }) => event && refusalOfText(call, options(), textOfFields(event, CALLERS_WORDS).text),
      connectMs: config.CONNECT_TIMEOUT_SECONDS * 1000,
      idleMs: config.REALTIME_IDLE_SECONDS * 1000,
    }),
  };
}
