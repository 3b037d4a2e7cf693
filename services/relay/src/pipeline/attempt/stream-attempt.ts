import { errors } from "undici";
import type { ChatResponse, ReportedUsage, StreamPart } from "../../core/chat/chat.ts";
import type { StreamWriter } from "../../core/call/dialect.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { CallMeter } from "../../accounting/holds/call-meter.ts";
import { countStep, createGeneratedText, type GeneratedText } from "../../accounting/tokens/generated-text.ts";
import type { Tokenizer } from "../../accounting/tokens/tokenizer.ts";
import { createCutStreamError, toUpstreamError, toRelayError } from "../../upstream/upstream-errors.ts";
import { createFrameSplitter, isSilent } from "../../upstream/frame-splitter.ts";
import { type Frame, type FrameSplitter, StreamFailure, type StreamReader } from "../../core/wire/stream.ts";
import { stepsOf } from "../../providers/shared/single-frame-stream.ts";
import type { ResponseHeaders, UpstreamCall, UpstreamClient } from "../../upstream/upstream-client.ts";
import { type ClientStream, createClientStream } from "./client-stream.ts";
import { getResponseContext, type RelayCall } from "../../core/call/relay-call.ts";
import type { Exchange } from "../../core/call/exchange.ts";
import type { Prepared } from "../prepare/request-preparation.ts";
import { modelAnswered } from "./attempt-telemetry.ts";
import { addPiece, beginUnstreamed, readUnstreamed, type RefusedBody } from "./refused-body.ts";
import { resolveUsage, type ResolvedUsage } from "../settle/usage-resolution.ts";
import { hasUsageOnly, usageChunk } from "./usage-chunk.ts";

/** How a stream that reached the caller ended; `error` is the reason it was cut. */
export type StreamResult = ResolvedUsage & { readonly error: RelayError | undefined };

type Deps = { readonly client: UpstreamClient; readonly tokenizer: Tokenizer; readonly now: () => number };
type Attempt = {
  readonly call: RelayCall;
  readonly exchange: Exchange;
  readonly prepared: Prepared;
  readonly meter: CallMeter;
  /** Charges the call or releases its hold. The end of the response waits for this. */
  readonly settle: (result: StreamResult) => Promise<void> | void;
  /** Converts a failure to what the caller may see. */
  readonly toClientError: (error: RelayError) => RelayError;
  readonly statusCodeMapping: Readonly<Record<string, string>>;
  readonly drainOnDisconnect: boolean;
};

/**
 * The multiple of the idle limit for which comments alone keep a stream alive: some providers send comments while a
 * model reasons.
 */
const COMMENTED_SHARE = 10;
/** How long a stream may be drained after the client disconnected. */
const DRAIN_MS = 120_000;
/** After the end mark, upstream gets this long to close its body, so that the connection can be reused. */
const TRAILING_MS = 1_000;
/** How long a stream without an end mark (Google) may stay open after its finish. */
const QUIET_MS = 5_000;
const DONE = "[DONE]";
const DONE_FRAME = Buffer.from(`data: ${DONE}\n\n`);

/**
 * Makes one attempt at a streaming response. Until the first readable event, nothing is sent to the caller and every
 * failure rejects, so that failover is possible; from then on each frame is sent when it arrives, and the promise
 * resolves when the stream has ended, successfully or not. A cut stream never ends cleanly for the caller.
 */
export function attemptStream(deps: Deps, attempt: Attempt): Promise<void> {
  return new Promise((resolve, reject) => new StreamAttempt(deps, attempt, resolve, reject).run());
}

/** The state of one streaming attempt. A class, since a dozen callbacks share it. */
class StreamAttempt {
  readonly #deps: Deps;
  readonly #attempt: Attempt;
  readonly #resolve: () => void;
  readonly #reject: (error: unknown) => void;
  readonly #splitter: FrameSplitter;
  readonly #reader: StreamReader;
  readonly #skim: StreamReader["skim"];
  readonly #writer: StreamWriter;
  readonly #produced: GeneratedText;
  readonly #caller: ClientStream;
  #upstream: UpstreamCall | undefined;
  #refused: RefusedBody | undefined;
  #ended = false;
  /** The response id from upstream. */
  #id = "";
  #trailing: NodeJS.Timeout | undefined;
  /** Runs while only the end of the bytes is missing. */
  #quiet: NodeJS.Timeout | undefined;
  #usage: ReportedUsage;
  #finish: Extract<StreamPart, { type: "finish" }> | undefined;
  /** The end mark of a pass-through stream was sent. */
  #hasEndMark = false;
  /** For responses that are raw bytes. */
  #contentType: string | undefined;
  /** Upstream's frames are passed through to the caller. */
  #passesThrough: boolean;
  #sentAt = 0;
  /** When upstream last sent something other than a comment. */
  #framedAt = 0;
  /** When upstream last sent something before anything was sent to the caller. */
  #heardAt = 0;

  constructor(deps: Deps, attempt: Attempt, resolve: () => void, reject: (error: unknown) => void) {
    this.#deps = deps;
    this.#attempt = attempt;
    this.#resolve = resolve;
    this.#reject = reject;
    const { call, prepared } = attempt;
    this.#passesThrough = prepared.passThrough;
    this.#splitter = ((prepared.written ?? prepared.provider.streaming)?.newFrameSplitter ?? createFrameSplitter)();
    const reader = prepared.provider.newStreamReader();
    const { content } = call;
    this.#reader = content
      ? prepared.passThrough
        ? content.filterRawStream(reader)
        : content.filterStream(reader)
      : reader;
    this.#skim = prepared.passThrough ? this.#reader.skim : undefined;
    this.#writer = call.dialect.newStreamWriter(getResponseContext(call));
    this.#produced = createGeneratedText(deps.tokenizer);
    this.#caller = createClientStream(attempt.exchange, {
      onBegin: () => {
        attempt.meter.secure();
        call.firstByteAtMs = deps.now();
        call.watch.firstTokenAt = performance.now();
        call.watch.upstreamMs += this.#heardAt - this.#sentAt;
        return this.#contentType;
      },
      pause: () => this.#upstream?.pause(),
      resume: () => this.#upstream?.resume(),
    });
  }

  run(): void {
    const { exchange, prepared } = this.#attempt;
    this.#sentAt = performance.now();
    this.#heardAt = this.#sentAt;
    this.#framedAt = this.#sentAt;
    this.#upstream = this.#deps.client.send(prepared.request, {
      head: (status, headers) => this.#onHead(status, headers),
      data: (chunk) => this.#onData(chunk),
      end: () => this.#onEnd(),
      fail: (error) => {
        clearTimeout(this.#trailing);
        // A parser without an end mark (Google) has lost nothing once the finish was read.
        if (this.#caller.hasBegun() && this.#reader.isComplete()) this.#onEnd();
        else this.#interrupt(this.#broken(toRelayError(error)));
      },
    });
    exchange.onDisconnect(() => this.#onCallerGone());
  }

  #onHead(status: number, headers: ResponseHeaders): void {
    const { prepared, call } = this.#attempt;
    this.#refused = beginUnstreamed(status, headers, prepared);
    const toldType = prepared.written?.contentType ?? String(headers["content-type"] ?? "");
    if (toldType !== "" && call.dialect.endpoint?.returnsBytes) this.#contentType = toldType;
  }

  #onData(chunk: Buffer): void {
    if (this.#ended) return;
    if (this.#refused) {
      if (!addPiece(this.#refused, chunk)) return;
      this.#upstream?.abort();
      return this.#refuse(this.#refused);
    }
    if (!this.#caller.hasBegun()) this.#heardAt = performance.now();
    this.#handleFrames(this.#splitter.push(chunk, this.#skim));
  }

  #handleFrames(frames: Iterable<Frame>): void {
    try {
      for (const frame of frames) if (!this.#ended) this.#onFrame(frame);
      // The frames that end the response are sent after settlement.
      if (!this.#ended) this.#caller.flush();
    } catch (error) {
      const failure = toRelayError(error);
      // If a stream fails within its first chunk, nothing was sent yet: failover is possible.
      if (this.#caller.hasBegun() || !failure.upstream) this.#caller.flush();
      this.#upstream?.abort();
      this.#interrupt(failure, error instanceof StreamFailure ? error.usage : undefined);
    }
  }

  #onFrame(frame: Frame): void {
    const passThrough = this.#passesThrough;
    if (frame.skimmed !== undefined) {
      this.#framedAt = performance.now();
      this.#produced.add(frame.skimmed);
      this.#caller.write(frame.raw);
      return this.#checkHold();
    }
    if (!frame.event) {
      const isPassThrough = this.#caller.hasBegun() && passThrough && frame.raw.length > 2;
      if (isPassThrough && isSilent(frame.raw)) this.#caller.write(frame.raw);
      return this.#checkSilence();
    }
    this.#framedAt = performance.now();
    const parts = this.#reader.read(frame.event);
    // No content yet: sending it would rule out failover.
    if (frame.event.event === "ping" && !this.#caller.hasBegun()) return;
    for (const part of parts) this.#notePart(part);
    if (!passThrough) {
      for (const part of parts) if (part.type !== "finish") this.#caller.write(this.#writer.write(part));
    } else if (!this.#isWithheld(frame.event.data)) {
      this.#caller.write(frame.raw);
    }
    if (!this.#reader.isComplete()) return this.#checkHold();
    if (this.#finish) return this.#complete();
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#onEnd(), QUIET_MS);
    this.#checkHold();
  }

  #checkSilence(): void {
    const silentMs = performance.now() - this.#framedAt;
    if (silentMs > this.#attempt.prepared.request.idleMs * COMMENTED_SHARE) throw new errors.BodyTimeoutError();
  }

  #notePart(part: StreamPart): void {
    countStep(part, this.#produced);
    if (part.type === "start") {
      this.#id = part.id;
      if (part.usage) this.#usage = part.usage;
      modelAnswered(this.#attempt.call, part.model);
    }
    if (part.type === "finish") {
      this.#finish = part;
      this.#usage = part.usage ?? this.#usage;
    }
  }

  /**
   * Usage that only the relay requested is not passed on; the end mark is delayed if the caller requested usage that
   * upstream did not send.
   */
  #isWithheld(data: string): boolean {
    const { call } = this.#attempt;
    if (!call.dialect.usageOnRequest) return false;
    if (data !== DONE) return !call.includeUsage && hasUsageOnly(data);
    this.#hasEndMark = !call.includeUsage || this.#usage !== undefined;
    return !this.#hasEndMark;
  }

  #checkHold(): void {
    const enough = this.#attempt.meter.produced(this.#produced.estimateTokens());
    if (enough === true) return;
    const stopIfRefused = (covered: boolean): void => {
      if (covered || this.#ended) return;
      this.#upstream?.abort();
      this.#interrupt(
        new RelayError("insufficient_user_quota", "the balance does not cover the rest of this response"),
      );
    };
    void Promise.resolve(enough).then(stopIfRefused);
  }

  #onEnd(): void {
    clearTimeout(this.#trailing);
    clearTimeout(this.#quiet);
    if (this.#ended) return;
    if (this.#refused) return this.#refuse(this.#refused);
    const last = this.#splitter.end();
    if (last) this.#handleFrames([last]);
    if (this.#ended) return;
    try {
      for (const part of this.#reader.end()) {
        this.#notePart(part);
        if (!this.#passesThrough && part.type !== "finish") this.#caller.write(this.#writer.write(part));
      }
      this.#caller.flush();
    } catch (error) {
      return this.#interrupt(toRelayError(error));
    }
    if (this.#reader.isComplete()) this.#complete();
    else this.#interrupt(createCutStreamError());
  }

  /** A connection lost half-way was established before. */
  #broken(failure: RelayError): RelayError {
    return this.#caller.hasBegun() && failure.code === "upstream_error" ? createCutStreamError() : failure;
  }

  #refuse({ status, headers, chunks }: RefusedBody): void {
    const { prepared, statusCodeMapping } = this.#attempt;
    const answer = { status, headers, body: Buffer.concat(chunks) };
    this.#ended = true;
    if (status !== 0)
      return this.#reject(
        toUpstreamError({ answer, provider: prepared.provider, statusCodeMapping, nowMs: this.#deps.now() }),
      );
    const whole = readUnstreamed(answer.body, prepared.provider, this.#attempt.call);
    if (whole instanceof RelayError) this.#reject(whole);
    else this.#serveWhole(whole);
  }

  #serveWhole(response: ChatResponse): void {
    this.#passesThrough = false;
    for (const step of stepsOf(response)) {
      this.#notePart(step);
      if (step.type !== "finish") this.#caller.write(this.#writer.write(step));
    }
    this.#complete();
  }

  /** The stream reached its end mark: send the remaining frames, then end the response to the caller. */
  #complete(): void {
    this.#ended = true;
    this.#trailing = setTimeout(() => this.#upstream?.abort(), TRAILING_MS);
    this.#trailing.unref();
    this.#conclude(false, undefined).catch(this.#reject);
  }

  /** `told`: the usage that upstream reported for the failed response. */
  #interrupt(error: RelayError, told?: ReportedUsage): void {
    if (this.#ended) return;
    this.#usage = told ?? this.#reader.usageSoFar?.() ?? this.#usage;
    clearTimeout(this.#quiet);
    this.#ended = true;
    if (!this.#caller.hasBegun() && !this.#attempt.exchange.isDisconnected()) return this.#reject(error);
    this.#conclude(true, error).catch(this.#reject);
  }

  #onCallerGone(): void {
    if (this.#ended) return;
    // Also before the first byte: upstream may already be working on the call and bill for it.
    if (this.#attempt.drainOnDisconnect) {
      setTimeout(() => this.#onCallerLost(), DRAIN_MS).unref();
      this.#upstream?.resume();
      return;
    }
    this.#onCallerLost();
  }

  #onCallerLost(): void {
    if (this.#ended) return;
    this.#upstream?.abort();
    this.#interrupt(new RelayError("stream_interrupted", "the client disconnected before the response was complete"));
  }

  async #conclude(wasCut: boolean, error: RelayError | undefined): Promise<void> {
    const { call, exchange, settle, toClientError } = this.#attempt;
    const { tokenizer } = this.#deps;
    const resolved = await resolveUsage({ call, reported: this.#usage, produced: this.#produced, wasCut, tokenizer });
    if (!error) call.firstByteAtMs ??= this.#deps.now();
    await settle({ ...resolved, error });
    // A byte stream has no error format: the aborted connection signals the failure.
    if (error && call.dialect.endpoint?.returnsBytes) exchange.response.destroy();
    else if (!exchange.isDisconnected()) {
      if (error) this.#caller.write(this.#writer.fail(toClientError(error), exchange.requestId));
      else this.#writeEnd(resolved);
      this.#caller.flush();
      exchange.response.end();
    }
    this.#resolve();
  }

  #writeEnd({ usage }: ResolvedUsage): void {
    const { call } = this.#attempt;
    if (!this.#passesThrough) {
      this.#caller.write(this.#writer.write({ type: "finish", reason: "stop", ...this.#finish, usage }));
      return;
    }
    // Some providers omit the end mark that readers of OpenAI streams wait for. Other formats end with their finish
    // event.
    if (this.#hasEndMark || !call.dialect.usageOnRequest) return;
    if (call.includeUsage && !this.#usage) this.#caller.write(usageChunk(call, this.#id, usage));
    this.#caller.write(DONE_FRAME);
  }
}
