import type { IncomingMessage } from "node:http";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { WebSocket } from "ws";
import type { Admit } from "../../admission/admission.ts";
import { checkGroup } from "../../admission/call-group.ts";
import { findRevocation } from "../../admission/caller-refusal.ts";
import { readSessionId } from "../../pipeline/prepare/read/session-id.ts";
import type { AttemptOutcomes } from "../../pipeline/settle/attempt-outcome.ts";
import type { FailureLog } from "../../pipeline/settle/failure-log.ts";
import { hideUpstreamError } from "../../pipeline/settle/hidden-errors.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import { chooseFirst, findTiers } from "../../pipeline/candidates.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { CallMeter } from "../../accounting/holds/meters/call-meter.ts";
import type { OpenMeter } from "../../accounting/holds/meters/metering.ts";
import { countCallError, inFlight } from "../../core/telemetry/relay-metrics.ts";
import { findProvider } from "../../providers/registry/providers.ts";
import type { Chooser } from "../../routing/channel-chooser.ts";
import type { ChannelBreakers } from "../../routing/channel-breakers.ts";
import type { RoutingTable } from "../../routing/routing-table.ts";
import type { Tiers } from "../../core/call/channel.ts";
import { type RealtimeSession, type SessionEnd, runSession } from "./realtime-session.ts";
import { createUpstreamOpening } from "./session-failover.ts";
import { type UpgradeRequest, type CompleteHandshake, createHandshake } from "../sockets/client-handshake.ts";
import { readRealtimeCall } from "./realtime-dialect.ts";
import type { InspectedFrame } from "./realtime-events.ts";
import { FRAME_BYTES_MAX, REALTIME_PROTOCOL } from "./upstream-socket.ts";

type Deps = {
  readonly admit: Admit;
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly table: () => RoutingTable;
  readonly options: () => OptionsInForce;
  readonly chooser: Chooser;
  readonly health: ChannelBreakers;
  readonly observer: AttemptOutcomes;
  readonly failures: FailureLog;
  readonly openMeter: OpenMeter;
  /** The error for a caller's text, or undefined if it is allowed. */
  readonly refusal: (call: RelayCall, frame: InspectedFrame) => RelayError | undefined;
  readonly connectMs: number;
  readonly idleMs: number;
  readonly now: () => number;
};

type Sockets = {
  readonly caller: WebSocket | undefined;
  readonly upstream: WebSocket;
  /** The upgrade, whose key is checked again while the session runs. */
  readonly request: IncomingMessage;
};

const RETRY_AFTER_SECONDS = 1;

/** The candidates that serve Realtime sessions. Throws no_available_channel if there are none. */
function withRealtime(tiers: Tiers, call: RelayCall): Tiers {
  const left = tiers
    .map((tier) => tier.filter((channel) => findProvider(channel.type)?.realtime !== undefined))
    .filter((tier) => tier.length > 0);
  if (left.length > 0) return left;
  throw new RelayError("no_available_channel", `no channel serves the model ${call.model} in Realtime sessions`);
}

/**
 * Serves Realtime sessions over WebSockets: admit, choose a channel, place the hold, open the upstream session (with
 * failover, since nothing was sent yet), then pass frames both ways. Until the upstream session is open, refusals are
 * plain HTTP responses; afterwards they are events. One session is one usage record; its cost so far is on hold at all
 * times.
 */
export class RealtimeHandler {
  readonly #deps: Deps;
  readonly #beginHandshake = createHandshake({ frameBytesMax: FRAME_BYTES_MAX, protocol: REALTIME_PROTOCOL });
  readonly #openWithFailover: ReturnType<typeof createUpstreamOpening>;
  readonly #running = new Set<RealtimeSession>();
  #isStopping = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#openWithFailover = createUpstreamOpening(deps);
  }

  /** Serves an upgrade to a Realtime session. Throws RelayError until the session is open upstream. */
  async upgrade(upgrade: UpgradeRequest, requestId: string): Promise<void> {
    inFlight.calls++;
    try {
      await this.#serve(upgrade, requestId);
    } finally {
      inFlight.calls--;
    }
  }

  /** Accepts no more sessions and lets running ones finish their current response. */
  drain(): void {
    this.#isStopping = true;
    for (const session of this.#running) session.drain();
  }

  async #serve(upgrade: UpgradeRequest, requestId: string): Promise<void> {
    if (this.#isStopping)
      throw new RelayError("service_unavailable", "this relay is stopping", { retryAfterSeconds: RETRY_AFTER_SECONDS });
    // Before anything is held: an invalid handshake never becomes a session.
    const completeHandshake = await this.#beginHandshake(upgrade, requestId);
    const call = await this.#readCall(upgrade.request, requestId);
    try {
      await this.#open(call, upgrade, completeHandshake);
    } catch (error) {
      this.#deps.failures.refused({ ...call, call }, error);
      throw error;
    }
  }

  /** Opens the session upstream and runs it. */
  async #open(call: RelayCall, upgrade: UpgradeRequest, completeHandshake: CompleteHandshake): Promise<void> {
    const { options, table, openMeter } = this.#deps;
    checkGroup(call.admitted, options());
    const tiers = withRealtime(findTiers(call, table(), options()), call);
    chooseFirst(this.#deps, call, tiers);
    const meter = await openMeter(call);
    let upstream: WebSocket;
    try {
      upstream = await this.#openWithFailover(call, tiers, upgrade.socket);
    } catch (error) {
      meter.release();
      if (error instanceof RelayError) countCallError(call.dialect.name, true, error.code);
      throw error instanceof RelayError ? hideUpstreamError(error, options()) : error;
    }
    const caller = await completeHandshake();
    await this.#runSession(call, meter, { caller, upstream, request: upgrade.request });
  }

  /** Reads and admits the call of an upgrade. */
  async #readCall(request: IncomingMessage, requestId: string): Promise<RelayCall> {
    const { admitted, query, address } = await this.#admit(request);
    readSessionId(request.headers);
    const startedAtMs = this.#deps.now();
    return readRealtimeCall({ requestId, startedAtMs, address, admitted, headers: request.headers, query });
  }

  async #admit(request: IncomingMessage) {
    const url = new URL(request.url ?? "/", "http://relay");
    const address = this.#deps.clientAddress(request);
    const admitted = await this.#deps.admit(request.headers, url.pathname, address);
    return { admitted, query: url.searchParams, address };
  }

  /** Runs the session to its end; `caller` is missing if the client disconnected during its handshake. */
  async #runSession(call: RelayCall, meter: CallMeter, { caller, upstream, request }: Sockets): Promise<void> {
    if (!caller) {
      upstream.terminate();
      return meter.release();
    }
    meter.secure();
    const { now, idleMs, refusal } = this.#deps;
    call.firstByteAtMs = now();
    const session = runSession({
      caller,
      upstream,
      requestId: call.requestId,
      idleMs,
      drainOnDisconnect: call.tried.at(-1)?.channel.drainOnDisconnect === true,
      spend: (usage) => meter.spent(usage),
      findRevocation: () => findRevocation(() => this.#admit(request)),
      refusal: (frame) => refusal(call, frame),
      now,
    });
    await this.#settle(call, meter, await this.#untilEnded(session));
  }

  async #untilEnded(session: RealtimeSession): Promise<SessionEnd> {
    this.#running.add(session);
    inFlight.streams++;
    if (this.#isStopping) session.drain();
    const end = await session.ended;
    inFlight.streams--;
    this.#running.delete(session);
    return end;
  }

  async #settle(call: RelayCall, meter: CallMeter, end: SessionEnd): Promise<void> {
    const { usage, estimated, error, responses } = end;
    const choice = call.tried.at(-1);
    if (error?.upstream && choice) {
      this.#deps.observer.failed(call, choice, error);
      this.#deps.failures.attempt(call, error, false);
    }
    const wasServed = responses > 0 || usage.promptTokens + usage.completionTokens > 0;
    if (wasServed) await meter.charge({ usage, estimated, error });
    else meter.release();
    if (error) countCallError(call.dialect.name, true, error.code);
  }
}
