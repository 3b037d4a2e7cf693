import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { HUGGING_FACE_PREFIX, MODEL_API_PATHS } from "@turnpike/contract/api/model-api-paths";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { newRequestId } from "@turnpike/shared/telemetry/request-id";
import type { Logger } from "@turnpike/shared/log/log";
import { type WebSocket, WebSocketServer } from "ws";
import type { Admit } from "../../admission/admission.ts";
import { checkGroup } from "../../admission/call-group.ts";
import { type AttemptOutcomes, hideUpstreamError } from "../../pipeline/settle/attempt-outcome.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import { chooseFirst, findTiers } from "../../pipeline/candidates.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { CallMeter, OpenMeter } from "../../accounting/holds/call-meter.ts";
import { countCallError, inFlight } from "../../core/telemetry/relay-metrics.ts";
import { findProvider } from "../../providers/registry/providers.ts";
import type { Chooser } from "../../routing/channel-chooser.ts";
import type { Health } from "../../routing/health.ts";
import type { RoutingTable } from "../../routing/routing-table.ts";
import type { Tiers } from "../../core/call/channel.ts";
import { type RealtimeSession, type SessionEnd, runSession } from "./realtime-session.ts";
import { createUpstreamOpening } from "./session-failover.ts";
import { FRAME_BYTES_MAX } from "./upstream-socket.ts";
import { readRealtimeCall } from "./realtime-dialect.ts";
import type { InspectedFrame } from "./realtime-events.ts";
import { getPath } from "../server/request-url.ts";
import { refuseUpgrade } from "./upgrade-refusal.ts";

type Deps = {
  readonly admit: Admit;
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly table: () => RoutingTable;
  readonly options: () => OptionsInForce;
  readonly chooser: Chooser;
  readonly health: Health;
  readonly observer: AttemptOutcomes;
  readonly openMeter: OpenMeter;
  /** The error for a caller's text, or undefined if it is allowed. */
  readonly refusal: (call: RelayCall, frame: InspectedFrame) => RelayError | undefined;
  readonly connectMs: number;
  readonly idleMs: number;
  readonly now: () => number;
  readonly log: Logger;
};

/** A caller who requested a Realtime session that is not open yet. */
type Asking = { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer };

const PATHS: ReadonlySet<string> = new Set([MODEL_API_PATHS.realtime, HUGGING_FACE_PREFIX + MODEL_API_PATHS.realtime]);
const PROTOCOL = "realtime";
const RETRY_AFTER_SECONDS = 1;

/** The candidates that serve Realtime sessions. Throws no_available_channel if there are none. */
function withRealtime(tiers: Tiers, call: RelayCall): Tiers {
  const left = tiers
    .map((tier) => tier.filter((channel) => findProvider(channel.type)?.realtime !== undefined))
    .filter((tier) => tier.length > 0);
  if (left.length > 0) return left;
  throw new RelayError("no_available_channel", `no channel serves the model ${call.model} in Realtime sessions`);
}

export type ServeRealtime = ReturnType<typeof createRealtimeHandler>;

/**
 * Serves Realtime sessions over WebSockets: admit, choose a channel, place the hold, open the upstream session (with
 * failover, since nothing was sent yet), then pass frames both ways. Until the upstream session is open, refusals are
 * plain HTTP responses; afterwards they are events. One session is one usage record; its cost so far is on hold at all
 * times.
 */
export function createRealtimeHandler(deps: Deps) {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: FRAME_BYTES_MAX,
    handleProtocols: (protocols) => (protocols.has(PROTOCOL) ? PROTOCOL : false),
  });
  // The handshake response carries the request id of its log row, like all responses.
  const requestIds = new WeakMap<IncomingMessage, string>();
  server.on("headers", (headers, request) => headers.push(`x-request-id: ${requestIds.get(request) ?? ""}`));
  const running = new Set<RealtimeSession>();
  let isStopping = false;

  const openWithFailover = createUpstreamOpening(deps);
  const settle = async (call: RelayCall, meter: CallMeter, end: SessionEnd): Promise<void> => {
    const { usage, estimated, error, responses } = end;
    const choice = call.tried.at(-1);
    if (error?.upstream && choice) deps.observer.failed(call, choice, error);
    const wasServed = responses > 0 || usage.promptTokens + usage.completionTokens > 0;
    if (wasServed) await meter.charge({ usage, estimated, error });
    else meter.release();
    if (error) countCallError(call.dialect.name, true, error.code);
  };

  const talk = async (call: RelayCall, meter: CallMeter, upstream: WebSocket, asking: Asking): Promise<void> => {
    const { request, socket, head } = asking;
    if (socket.destroyed) {
      upstream.terminate();
      return meter.release();
    }
    meter.secure();
    call.firstByteAtMs = deps.now();
    requestIds.set(request, call.requestId);
    const caller = await new Promise<WebSocket>((resolve) => server.handleUpgrade(request, socket, head, resolve));
    const conversation = runSession({
      caller,
      upstream,
      requestId: call.requestId,
      idleMs: deps.idleMs,
      drainOnDisconnect: call.tried.at(-1)?.channel.drainOnDisconnect === true,
      spend: meter.spent,
      refusal: (frame) => deps.refusal(call, frame),
      now: deps.now,
    });
    running.add(conversation);
    inFlight.streams++;
    if (isStopping) conversation.drain();
    const end = await conversation.ended;
    inFlight.streams--;
    running.delete(conversation);
    await settle(call, meter, end);
  };

  const serve = async (asking: Asking, requestId: string): Promise<void> => {
    const { request, socket } = asking;
    const url = new URL(request.url ?? "/", "http://relay");
    if (!PATHS.has(getPath(request)))
      throw new RelayError("not_found", `Invalid URL (${request.method ?? ""} ${url.pathname})`);
    if (isStopping)
      throw new RelayError("service_unavailable", "this relay is stopping", { retryAfterSeconds: RETRY_AFTER_SECONDS });
    const address = deps.clientAddress(request);
    const { headers } = request;
    const admitted = await deps.admit(headers, url.pathname, address);
    const startedAtMs = deps.now();
    const call = readRealtimeCall({ requestId, startedAtMs, address, admitted, headers, query: url.searchParams });
    checkGroup(admitted, deps.options());
    const tiers = withRealtime(findTiers(call, deps.table()), call);
    chooseFirst(deps, call, tiers);
    const meter = await deps.openMeter(call);
    let upstream: WebSocket;
    try {
      upstream = await openWithFailover(call, tiers, socket);
    } catch (error) {
      meter.release();
      if (error instanceof RelayError) countCallError(call.dialect.name, true, error.code);
      throw error instanceof RelayError ? hideUpstreamError(error, deps.options()) : error;
    }
    await talk(call, meter, upstream, asking);
  };

  return {
    /** Handles an upgrade to a WebSocket; every other path is refused with 404. */
    async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
      const requestId = newRequestId();
      socket.on("error", () => socket.destroy());
      inFlight.calls++;
      try {
        await serve({ request, socket, head }, requestId);
      } catch (error) {
        const known =
          error instanceof RelayError ? error : new RelayError("internal_error", "an internal error occurred");
        if (known !== error) deps.log.error({ err: error, requestId }, "Realtime session failed unexpectedly");
        if (!socket.destroyed && socket.writable) refuseUpgrade(socket, known, requestId);
      } finally {
        inFlight.calls--;
      }
    },
    /** Accepts no more sessions and lets running ones finish their current response. */
    drain(): void {
      isStopping = true;
      for (const conversation of running) conversation.drain();
    },
  };
}
