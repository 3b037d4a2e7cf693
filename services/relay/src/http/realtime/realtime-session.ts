import { NO_USAGE, type TokenUsage } from "@turnpike/contract/pricing/quota";
import type { WebSocket } from "ws";
import { RelayError } from "../../core/errors/relay-error.ts";
import { pump } from "./socket-pump.ts";
import {
  addUsage,
  errorEvent,
  type InspectedFrame,
  inspectFrame,
  TRANSCRIBED,
  usageOfResponse,
  usageOfTranscript,
} from "./realtime-events.ts";
import { createSpokenTokens } from "./audio-tokens.ts";

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

type Asked = {
  readonly caller: WebSocket;
  readonly upstream: WebSocket;
  readonly requestId: string;
  readonly idleMs: number;
  readonly drainOnDisconnect: boolean;
  /** Reports the usage so far; false if the balance does not cover another response. */
  readonly spend: (usage: TokenUsage) => Promise<boolean>;
  /** The error for a caller's text frame that must not be passed on; undefined if it may be. */
  readonly refusal: (frame: InspectedFrame) => RelayError | undefined;
  readonly now: () => number;
};

/** How long a response in progress may take after the client disconnected. */
const DRAIN_MS = 60_000;
const CHECK_MS = 15_000;
const CLOSE_WAIT_MS = 2_000;
const GOING_AWAY = 1001;
const BROKEN = 1011;
const NO_BALANCE = 1008;

/** Close codes that an endpoint may send; others report how a connection was lost. */
const isSendable = (code: number): boolean =>
  (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code <= 4999);

function closeSocket(socket: WebSocket, code: number, reason = ""): void {
  if (socket.isPaused) socket.resume();
  if (socket.readyState === socket.OPEN) socket.close(isSendable(code) ? code : 1000, reason);
  // A peer that does not acknowledge the close is terminated.
  setTimeout(() => socket.terminate(), CLOSE_WAIT_MS).unref();
}

const cutOff = (message: string): RelayError =>
  new RelayError("stream_interrupted", message, {
    upstream: { message, type: "upstream_error", code: "no_answer", param: undefined },
  });

/**
 * Runs a Realtime session between two open sockets: frames are passed on in both directions as they arrive; responses
 * are metered on the way, and their cost is reported at once. The session ends when either side ends it, when it is
 * idle for too long, or when the balance is used up, which the caller learns by an error event.
 */
export function runSession(asked: Asked): RealtimeSession {
  return new ConversationRun(asked).start();
}

/** The state of one Realtime session. A class, since a dozen callbacks share it. */
class ConversationRun {
  readonly #asked: Asked;
  readonly #spoken = createSpokenTokens();
  readonly #ended = Promise.withResolvers<SessionEnd>();
  #usage: TokenUsage = NO_USAGE;
  #responses = 0;
  #estimated = false;
  /** Responses in progress. */
  #running = 0;
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

  constructor(asked: Asked) {
    this.#asked = asked;
    this.#movedAtMs = asked.now();
  }

  start(): RealtimeSession {
    const { caller, upstream } = this.#asked;
    this.#goOn = pump({
      from: caller,
      to: upstream,
      see: (data, isBinary) => this.#fromCaller(data, isBinary),
      isHeld: () => this.#spending > 0,
    });
    pump({ from: upstream, to: caller, see: (data, isBinary) => this.#fromUpstream(data, isBinary) });
    caller.on("close", () => this.#onCallerGone()).on("error", () => this.#onCallerGone());
    upstream.on("close", (code, reason) => this.#onUpstreamGone(code, reason.toString()));
    upstream.on("error", () => this.#onUpstreamGone(1006, ""));
    for (const [name, socket] of [
      ["caller", caller],
      ["upstream", upstream],
    ] as const)
      socket.on("pong", () => (this.#heard[name] = true));
    this.#check = setInterval(() => this.#checkLife(), CHECK_MS);
    upstream.resume();
    return { ended: this.#ended.promise, drain: () => this.#drain() };
  }

  #fromCaller(data: Buffer, isBinary: boolean): boolean {
    this.#moved("caller");
    if (isBinary) return true;
    const frame = inspectFrame(data);
    const refusal = frame.event && this.#asked.refusal(frame);
    if (refusal) {
      this.#asked.caller.send(errorEvent(refusal, this.#asked.requestId));
      return false;
    }
    this.#spoken.fromClient(frame, data.length);
    return true;
  }

  #fromUpstream(data: Buffer, isBinary: boolean): boolean {
    this.#moved("upstream");
    if (isBinary) return true;
    const frame = inspectFrame(data);
    this.#spoken.fromUpstream(frame, data.length);
    if (frame.type === "response.created") this.#running++;
    if (frame.type === "response.done" && frame.event) this.#onAnswer(usageOfResponse(frame.event));
    else if (frame.type === TRANSCRIBED && frame.event) this.#onTranscript(usageOfTranscript(frame.event));
    return true;
  }

  #moved(side: "caller" | "upstream"): void {
    this.#movedAtMs = this.#asked.now();
    this.#heard[side] = true;
  }

  #onAnswer(told: TokenUsage | undefined): void {
    this.#running = Math.max(0, this.#running - 1);
    this.#responses++;
    this.#count(told);
    this.#spend();
  }

  #onTranscript(told: TokenUsage | undefined): void {
    if (!told) return;
    this.#usage = addUsage(this.#usage, told);
    this.#spend();
  }

  #spend(): void {
    this.#spending++;
    this.#asked.caller.pause();
    const after = (isCovered: boolean): void => {
      this.#spending--;
      if (this.#isOver) return;
      this.#goOn();
      if (!isCovered) this.#end(new RelayError("insufficient_user_quota", "the balance is used up"), NO_BALANCE);
      else if (this.#isLast && this.#running === 0) this.#end(undefined, GOING_AWAY);
    };
    void this.#asked.spend(this.#usage).then(after);
  }

  #count(told: TokenUsage | undefined): void {
    const counted = this.#spoken.take();
    if (!told) this.#estimated ||= counted.promptTokens + counted.completionTokens > 0;
    this.#usage = addUsage(this.#usage, told ?? counted);
  }

  #drain(): void {
    if (this.#isOver) return;
    this.#isLast = true;
    if (this.#running === 0) this.#end(undefined, GOING_AWAY);
  }

  #onCallerGone(): void {
    if (this.#isOver) return;
    if (this.#asked.drainOnDisconnect && this.#running > 0 && !this.#isLast) {
      this.#isLast = true;
      setTimeout(() => this.#end(undefined, 1000), DRAIN_MS).unref();
      if (this.#asked.upstream.isPaused) this.#asked.upstream.resume();
      return;
    }
    this.#end(undefined, 1000);
  }

  #onUpstreamGone(code: number, reason: string): void {
    if (this.#isOver) return;
    // A session that upstream ends normally keeps upstream's close code.
    if (isSendable(code) && this.#running === 0) return this.#end(undefined, code, reason);
    this.#end(cutOff("upstream ended the session"), isSendable(code) ? code : BROKEN);
  }

  /** Sockets get no close event when a network fails: each must answer a ping before the next one. */
  #checkLife(): void {
    const { caller, upstream, idleMs, now } = this.#asked;
    if (now() - this.#movedAtMs > idleMs)
      return this.#end(new RelayError("stream_interrupted", "the session was idle for too long"), 1000);
    if (!this.#heard.caller && !caller.isPaused) return caller.terminate();
    if (!this.#heard.upstream && !upstream.isPaused) return upstream.terminate();
    this.#heard = { caller: false, upstream: false };
    for (const socket of [caller, upstream]) if (socket.readyState === socket.OPEN) socket.ping();
  }

  #end(error: RelayError | undefined, code: number, reason = ""): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#check);
    // Responses that were started and not finished are metered too.
    if (this.#running > 0) this.#count(undefined);
    const { caller, upstream, requestId } = this.#asked;
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
