import { removeReportedCost } from "../../core/vendors/upstream-cost.ts";
import { NO_USAGE, type TokenUsage } from "@turnpike/contract/pricing/quota";
import type { WebSocket } from "ws";
import { RelayError, UPSTREAM_CODES } from "../../core/errors/relay-error.ts";
import { BROKEN, closeSocket, GOING_AWAY, isSendable, POLICY } from "../sockets/close-socket.ts";
import { pump } from "./socket-pump.ts";
import {
  addUsage,
  errorEvent,
  type InspectedFrame,
  inspectFrame,
  TRANSCRIBED,
  readResponseUsage,
  readTranscriptUsage,
} from "./realtime-events.ts";
import { createAudioTokens } from "./audio-tokens.ts";

/** How a Realtime session ended, and its usage. `error` is what cut it off; `responses` counts the responses. */
export type SessionEnd = {
  readonly usage: TokenUsage;
  readonly responses: number;
  readonly estimated: boolean;
  readonly error: RelayError | undefined;
};

export type RealtimeSession = {
  readonly ended: Promise<SessionEnd>;
  /** Ends the session after the response in progress, at once if there is none. */
  readonly drain: () => void;
};

type Requested = {
  readonly caller: WebSocket;
  readonly upstream: WebSocket;
  readonly requestId: string;
  readonly idleMs: number;
  readonly drainOnDisconnect: boolean;
  /** Reports the usage so far; false if the balance does not cover another response. */
  readonly spend: (usage: TokenUsage) => Promise<boolean>;
  /** Why the caller's key is no longer accepted; undefined while it is. */
  readonly findRevocation: () => Promise<RelayError | undefined>;
  /** The error for a caller's text frame that must not be passed on; undefined if it may be. */
  readonly refusal: (frame: InspectedFrame) => RelayError | undefined;
  readonly now: () => number;
};

/** How long a response in progress may take after the client disconnected. */
const DRAIN_MS = 60_000;
const CHECK_MS = 15_000;
const cutOff = (message: string): RelayError =>
  new RelayError("stream_interrupted", message, {
    upstream: { message, type: "upstream_error", code: UPSTREAM_CODES.noResponse, param: undefined },
  });

/**
 * Runs a Realtime session between two open sockets: frames are passed on in both directions as they arrive; responses
 * are metered on the way, and their cost is reported at once. The session ends when either side ends it, when it is
 * idle for too long, or when the balance is used up or the key is no longer accepted, which the caller learns by an error event.
 */
export function runSession(requested: Requested): RealtimeSession {
  return new SessionRun(requested).start();
}

/** The state of one Realtime session. A class, since a dozen callbacks share it. */
class SessionRun {
  readonly #session: Requested;
  readonly #audioTokens = createAudioTokens();
  readonly #ended = Promise.withResolvers<SessionEnd>();
  #usage: TokenUsage = NO_USAGE;
  #responses = 0;
  #estimated = false;
  /** Responses in progress. */
  #running = 0;
  /** Responses that the caller requested and upstream has not started yet. */
  #requested = 0;
  /**
   * Responses whose cost is being added to the hold; meanwhile the caller's frames are paused, so that no further
   * response starts unpaid.
   */
  #spending = 0;
  #goOn: () => void = () => undefined;
  #isOver = false;
  #isLast = false;
  #movedAtMs: number;
  #heard = { caller: true, upstream: true };
  #check: NodeJS.Timeout | undefined;

  constructor(requested: Requested) {
    this.#session = requested;
    this.#movedAtMs = requested.now();
  }

  start(): RealtimeSession {
    const { caller, upstream } = this.#session;
    this.#goOn = pump({
      from: caller,
      to: upstream,
      see: (data, isBinary) => this.#fromCaller(data, isBinary),
      isHeld: () => this.#spending > 0,
    });
    pump({ from: upstream, to: caller, see: (data, isBinary) => this.#fromUpstream(data, isBinary) });
    caller.on("close", () => this.#onCallerClosed()).on("error", () => this.#onCallerClosed());
    upstream.on("close", (code, reason) => this.#onUpstreamClosed(code, reason.toString()));
    upstream.on("error", () => this.#onUpstreamClosed(1006, ""));
    for (const [name, socket] of [
      ["caller", caller],
      ["upstream", upstream],
    ] as const)
      socket.on("pong", () => (this.#heard[name] = true));
    this.#check = setInterval(() => {
      this.#checkLife();
      void this.#checkKey();
    }, CHECK_MS);
    upstream.resume();
    return { ended: this.#ended.promise, drain: () => this.#drain() };
  }

  #fromCaller(data: Buffer, isBinary: boolean): boolean {
    this.#moved("caller");
    if (isBinary) return true;
    const frame = inspectFrame(data);
    const refusal = frame.event && this.#session.refusal(frame);
    if (refusal) {
      this.#session.caller.send(errorEvent(refusal, this.#session.requestId));
      return false;
    }
    this.#audioTokens.fromClient(frame, data.length);
    if (frame.type === "response.create") this.#requested++;
    return true;
  }

  #fromUpstream(data: Buffer, isBinary: boolean): boolean | string {
    this.#moved("upstream");
    if (isBinary) return true;
    const frame = inspectFrame(data);
    this.#audioTokens.fromUpstream(frame, data.length);
    if (frame.type === "response.created") this.#running++;
    // Upstream has started the response or refused it.
    if (frame.type === "response.created" || frame.type === "error") this.#requested = Math.max(0, this.#requested - 1);
    if (frame.type === "response.done" && frame.event) this.#onResponse(readResponseUsage(frame.event));
    else if (frame.type === TRANSCRIBED && frame.event) this.#onTranscript(readTranscriptUsage(frame.event));
    return frame.event?.["response"] === undefined || (removeReportedCost(data.toString("utf8")) ?? true);
  }

  #moved(side: "caller" | "upstream"): void {
    this.#movedAtMs = this.#session.now();
    this.#heard[side] = true;
  }

  #onResponse(reported: TokenUsage | undefined): void {
    this.#running = Math.max(0, this.#running - 1);
    this.#responses++;
    this.#count(reported);
    this.#spend();
  }

  #onTranscript(reported: TokenUsage | undefined): void {
    if (!reported) return;
    this.#usage = addUsage(this.#usage, reported);
    this.#spend();
  }

  #spend(): void {
    this.#spending++;
    this.#session.caller.pause();
    const after = (isCovered: boolean): void => {
      this.#spending--;
      if (this.#isOver) return;
      this.#goOn();
      if (!isCovered) this.#end(new RelayError("insufficient_user_quota", "the balance is used up"), POLICY);
      else if (this.#isLast && this.#running === 0) this.#end(undefined, GOING_AWAY);
    };
    void this.#session.spend(this.#usage).then(after);
  }

  #count(reported: TokenUsage | undefined): void {
    const counted = this.#audioTokens.take();
    if (!reported) this.#estimated ||= counted.promptTokens + counted.completionTokens > 0;
    this.#usage = addUsage(this.#usage, reported ?? counted);
  }

  #drain(): void {
    if (this.#isOver) return;
    this.#isLast = true;
    if (this.#running === 0) this.#end(undefined, GOING_AWAY);
  }

  #onCallerClosed(): void {
    if (this.#isOver) return;
    if (this.#session.drainOnDisconnect && this.#running > 0 && !this.#isLast) {
      this.#isLast = true;
      setTimeout(() => this.#end(undefined, 1000), DRAIN_MS).unref();
      if (this.#session.upstream.isPaused) this.#session.upstream.resume();
      return;
    }
    this.#end(undefined, 1000);
  }

  #onUpstreamClosed(code: number, reason: string): void {
    if (this.#isOver) return;
    // A session that upstream ends normally keeps upstream's close code.
    if (isSendable(code) && this.#running === 0) return this.#end(undefined, code, reason);
    this.#end(cutOff("upstream ended the session"), isSendable(code) ? code : BROKEN);
  }

  /** Sockets get no close event when a network fails: each must return a pong before the next ping. */
  #checkLife(): void {
    const { caller, upstream, idleMs, now } = this.#session;
    if (now() - this.#movedAtMs > idleMs)
      return this.#end(new RelayError("stream_interrupted", "the session was idle for too long"), 1000);
    if (!this.#heard.caller && !caller.isPaused) return caller.terminate();
    if (!this.#heard.upstream && !upstream.isPaused) return upstream.terminate();
    this.#heard = { caller: false, upstream: false };
    for (const socket of [caller, upstream]) if (socket.readyState === socket.OPEN) socket.ping();
  }

  async #checkKey(): Promise<void> {
    const revocation = await this.#session.findRevocation();
    if (revocation) this.#end(revocation, POLICY);
  }

  #end(error: RelayError | undefined, code: number, reason = ""): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#check);
    // Responses that were requested or started, and not finished, are metered too.
    if (this.#running + this.#requested > 0) this.#count(undefined);
    const { caller, upstream, requestId } = this.#session;
    if (error && caller.readyState === caller.OPEN) caller.send(errorEvent(error, requestId));
    closeSocket(caller, code, reason);
    closeSocket(upstream, 1000);
    this.#ended.resolve({
      usage: this.#usage,
      responses: this.#responses,
      estimated: this.#estimated,
      error,
    });
  }
}
