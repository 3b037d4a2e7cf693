import type { Duplex } from "node:stream";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { WebSocket } from "ws";
import type { AttemptOutcomes } from "../../pipeline/settle/attempt-outcome.ts";
import { failOver } from "../../pipeline/settle/failover-step.ts";
import type { FailureLog } from "../../pipeline/settle/failure-log.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import { providerSettings, toTarget } from "../../pipeline/prepare/provider-target.ts";
import { providerFor } from "../../pipeline/prepare/serving-provider.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { redactAttemptSecrets } from "../../core/call/secret-redaction.ts";
import type { Chooser } from "../../routing/channel-chooser.ts";
import type { Choice } from "../../core/call/channel.ts";
import type { ChannelBreakers } from "../../routing/channel-breakers.ts";
import { chooseNext } from "../../routing/failover.ts";
import { isRetryable } from "../../routing/retry-rules.ts";
import type { Tiers } from "../../core/call/channel.ts";
import { getRoutingPreferences } from "../../routing/routing-preferences.ts";
import { openUpstream } from "./upstream-socket.ts";

type Deps = {
  readonly options: () => OptionsInForce;
  readonly chooser: Chooser;
  readonly health: ChannelBreakers;
  readonly observer: AttemptOutcomes;
  readonly failures: FailureLog;
  readonly connectMs: number;
  readonly now: () => number;
};

/** Opens Realtime sessions upstream on the first channel that accepts them; `call.tried` then names that channel. */
export function createUpstreamOpening(deps: Deps) {
  const connect = async (call: RelayCall, choice: Choice, socket: Duplex): Promise<WebSocket> => {
    const target = toTarget(choice, call.model, providerSettings(deps.options()), call.clientHeaders);
    const provider = providerFor(choice.channel.type, target.model);
    const place = provider.realtime?.(target);
    if (!place) throw new RelayError("no_available_channel", "this channel does not serve Realtime sessions");
    const { statusCodeMapping } = choice.channel;
    const onDisconnect = (run: () => void) => {
      socket.once("close", run);
      return () => void socket.off("close", run);
    };
    const { connectMs, now } = deps;
    return openUpstream({
      place,
      provider,
      statusCodeMapping,
      proxy: target.proxy,
      connectMs,
      nowMs: now(),
      onDisconnect,
    });
  };
  return async function openWithFailover(call: RelayCall, tiers: Tiers, socket: Duplex): Promise<WebSocket> {
    for (let choice = call.tried.at(-1); choice;) {
      deps.health.started(choice.channel.id, choice.key);
      try {
        const upstream = await connect(call, choice, socket);
        deps.observer.succeeded(choice, deps.now());
        return upstream;
      } catch (thrown) {
        const error = thrown instanceof RelayError ? redactAttemptSecrets(choice, thrown) : thrown;
        if (!(error instanceof RelayError) || socket.destroyed) {
          deps.health.abandoned(choice.channel.id, choice.key);
          throw error;
        }
        const { type } = choice.channel;
        choice = await failOver(deps, call, { choice, error }, () =>
          isRetryable(error, type)
            ? chooseNext(deps, call, tiers, getRoutingPreferences(call, deps.options()))
            : undefined,
        );
      }
    }
    throw new Error("a call without a channel");
  };
}
