import type { ReportedUsage, StreamPart } from "../../../core/chat/chat.ts";
import { RelayError } from "../../../core/errors/relay-error.ts";
import { createCutStreamError, toRelayError } from "../../../upstream/upstream-errors.ts";
import { isSilent } from "../../../upstream/frame-splitter.ts";
import {
  type Frame,
  type FrameSplitter,
  type StreamEvent,
  StreamFailure,
  type StreamReader,
} from "../../../core/wire/stream.ts";
import { isChatFormat } from "../../../core/wire/wire-format.ts";
import type { ResponseHeaders, UpstreamCall } from "../../../upstream/upstream-call.ts";
import { type ClientStream, createClientStream } from "./client-stream.ts";
import { clientDisconnected, isPromptDue } from "../disconnects.ts";
import { addPiece, beginUnstreamed, readUnstreamed, type RefusedBody } from "../refused-body.ts";
import { OpeningBuffer } from "./opening-buffer.ts";
import { concludeStream } from "./stream-conclusion.ts";
import { StreamClock } from "./stream-clock.ts";
import { StreamEvents } from "./stream-events.ts";
import type { StreamDeps, StreamInput } from "./stream-input.ts";
import { openReading } from "./stream-reading.ts";
import { StreamReport } from "./stream-report.ts";

/**
 * Makes one attempt at a streaming response. Until the first readable event, nothing is sent to the caller and every
 * failure rejects, so that failover is possible; from then on each frame is sent when it arrives, and the promise
 * resolves when the stream has ended, successfully or not. A cut stream never ends cleanly for the caller.
 */
export async function attemptStream(deps: StreamDeps, attempt: StreamInput): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const running = new StreamAttempt(deps, attempt, resolve, reject);
  running.run();
  const place = deps.running.add(running);
  try {
    await promise;
  } finally {
    deps.running.remove(place);
  }
}

/** The state of one streaming attempt. A class, since a dozen callbacks share it. */
class StreamAttempt {
  readonly #deps: StreamDeps;
  readonly #attempt: StreamInput;
  readonly #resolve: () => void;
  readonly #reject: (error: unknown) => void;
  readonly #splitter: FrameSplitter;
  readonly #reader: StreamReader;
  readonly #skim: StreamReader["skim"];
  readonly #report: StreamReport;
  readonly #events: StreamEvents;
  readonly #clock: StreamClock;
  readonly #caller: ClientStream;
  readonly #opening: OpeningBuffer;
  #upstream: UpstreamCall | undefined;
  #refused: RefusedBody | undefined;
  #ended = false;
  /** Upstream ended the response by a failure that the client can get as it is. */
  #hasOwnEnd = false;
  /** What arrives while the tokenizer counts the text. */
  #waiting: { readonly frames: Frame[]; hasEnded: boolean } | undefined;
  /** The client disconnected when upstream had the prompt. */
  #isPromptDue = false;
  /** For responses that are raw bytes. */
  #contentType: string | undefined;

  constructor(deps: StreamDeps, attempt: StreamInput, resolve: () => void, reject: (error: unknown) => void) {
    this.#deps = deps;
    this.#attempt = attempt;
    this.#resolve = resolve;
    this.#reject = reject;
    const { call, prepared } = attempt;
    ({ splitter: this.#splitter, reader: this.#reader, skim: this.#skim } = openReading(attempt));
    this.#report = new StreamReport(call, deps.tokenizer);
    this.#clock = new StreamClock(prepared.request.idleMs);
    this.#caller = createClientStream(attempt.exchange, {
      onBegin: () => {
        attempt.meter.secure();
        call.firstByteAtMs = deps.now();
        call.watch.firstTokenAt = performance.now();
        call.watch.upstreamMs += this.#clock.upstreamMs();
        return this.#contentType;
      },
      pause: () => this.#upstream?.pause(),
      resume: () => {
        if (!this.#waiting) this.#upstream?.resume();
      },
    });
    this.#opening = new OpeningBuffer(isChatFormat(call.dialect.name), () => this.#caller.flush());
    const { passThrough: passesThrough } = prepared;
    const { includesCharge } = attempt;
    this.#events = new StreamEvents(call, this.#report, this.#caller, { passesThrough, includesCharge });
  }

  run(): void {
    const { exchange, prepared } = this.#attempt;
    this.#upstream = this.#deps.client.send(prepared.request, {
      head: (status, headers) => this.#onHead(status, headers),
      data: (chunk) => this.#onData(chunk),
      end: () => this.#onEnd(),
      fail: (error) => {
        this.#clock.stopAwaitingClose();
        // A parser without an end mark (Google) has lost nothing once the finish was read.
        if (this.#caller.hasBegun() && this.#reader.isComplete()) this.#onEnd();
        else this.#interrupt(this.#broken(toRelayError(error)));
      },
    });
    exchange.onDisconnect(() => this.#onDisconnect());
  }

  /** Ends the attempt early. */
  stop(error: RelayError): void {
    if (this.#ended) return;
    this.#upstream?.abort();
    this.#interrupt(error);
  }

  #onHead(status: number, headers: ResponseHeaders): void {
    const { prepared, call } = this.#attempt;
    this.#refused = beginUnstreamed(status, headers, prepared);
    const reportedType = prepared.written?.contentType ?? String(headers["content-type"] ?? "");
    if (reportedType !== "" && call.dialect.endpoint?.returnsBytes) this.#contentType = reportedType;
  }

  #onData(chunk: Buffer): void {
    if (this.#ended) return;
    if (this.#refused) {
      if (!addPiece(this.#refused, chunk)) return;
      this.#upstream?.abort();
      return this.#refuse(this.#refused);
    }
    if (!this.#caller.hasBegun()) this.#clock.hear();
    const skim = this.#opening.isOver() ? this.#skim : undefined;
    const text = skim && this.#splitter.skimChunk?.(chunk, skim);
    if (text === undefined) this.#handleFrames(this.#splitter.push(chunk, skim));
    else this.#passOn(chunk, text);
  }

  /** Passes on a chunk of which only the text is of interest. */
  #passOn(chunk: Buffer, text: string): void {
    this.#clock.frame();
    this.#report.generated.add(text);
    this.#caller.write(chunk);
    this.#checkHold();
    if (!this.#ended) this.#caller.flush();
  }

  #handleFrames(frames: Iterable<Frame>): void {
    try {
      for (const frame of frames) {
        if (this.#waiting) this.#waiting.frames.push(frame);
        else if (!this.#ended) this.#onFrame(frame);
      }
      // The frames that end the response are sent after settlement.
      if (!this.#ended) this.#flush();
    } catch (error) {
      const failure = toRelayError(error);
      // If a stream fails within its first chunk, nothing was sent yet: failover is possible.
      if (this.#caller.hasBegun() || !failure.upstream) this.#caller.flush();
      this.#upstream?.abort();
      this.#interrupt(failure, error instanceof StreamFailure ? error.usage : undefined);
    }
  }

  #read(event: StreamEvent): StreamPart[] {
    try {
      return this.#reader.read(event);
    } catch (error) {
      this.#hasOwnEnd = this.#events.keepFailure(event, toRelayError(error));
      throw error;
    }
  }

  #end(): void {
    this.#ended = true;
    this.#opening.end();
  }

  /** Sends what was written, once it has content. */
  #flush(): void {
    if (this.#opening.allows(this.#caller.pendingBytes())) this.#caller.flush();
  }

  #onFrame(frame: Frame): void {
    const { passesThrough } = this.#events;
    if (frame.skimmed !== undefined) {
      this.#clock.frame();
      this.#report.generated.add(frame.skimmed);
      this.#caller.write(frame.raw);
      return this.#checkHold();
    }
    if (!frame.event) {
      const isPassThrough = this.#caller.hasBegun() && passesThrough && frame.raw.length > 2;
      if (isPassThrough && isSilent(frame.raw)) this.#caller.write(frame.raw);
      return this.#clock.checkSilence();
    }
    this.#clock.frame();
    if (!passesThrough && this.#events.convertText(this.#reader.skim?.(frame.event))) {
      this.#opening.end();
      return this.#checkHold();
    }
    const parts = this.#read(frame.event);
    // Before the response, pings carry no information.
    if (frame.event.event === "ping" && !this.#caller.hasBegun()) return;
    this.#opening.add(parts, passesThrough ? frame.event : undefined);
    for (const part of parts) this.#report.add(part);
    this.#events.writeEvent(frame.raw, frame.event, parts);
    if (!this.#reader.isComplete()) return this.#checkHold();
    if (this.#report.finish) return this.#complete();
    this.#clock.awaitEnd(() => this.#onEnd());
    this.#checkHold();
  }

  #checkHold(): void {
    const { meter } = this.#attempt;
    const isLimitReached = meter.isLimitReached(this.#report.generated);
    if (isLimitReached === true) return this.#stopAtLimit();
    if (isLimitReached !== false) return void this.#awaitCount(isLimitReached).catch(this.#reject);
    const enough = meter.produced(this.#report.generated);
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

  /** The rest of the stream waits until it is known whether the caller's ceiling is reached. */
  async #awaitCount(isLimitReached: Promise<boolean>): Promise<void> {
    const waiting = { frames: new Array<Frame>(), hasEnded: false };
    this.#waiting = waiting;
    this.#upstream?.pause();
    const isReached = await isLimitReached;
    this.#waiting = undefined;
    if (this.#ended) return;
    if (!this.#caller.isBlocked()) this.#upstream?.resume();
    if (isReached) return this.#stopAtLimit();
    this.#handleFrames(waiting.frames);
    if (waiting.hasEnded) this.#onEnd();
  }

  /** The caller's ceiling is reached: the response ends as one that reached its largest length. */
  #stopAtLimit(): void {
    this.#report.finish = { type: "finish", reason: "length", usage: undefined };
    this.#report.usage = this.#reader.usageSoFar?.() ?? this.#report.usage;
    this.#clock.stopAwaitingEnd();
    this.#end();
    this.#upstream?.abort();
    this.#events.takeOver();
    this.#caller.flush();
    this.#conclude(true, undefined);
  }

  #onEnd(): void {
    this.#clock.stopAwaitingClose();
    this.#clock.stopAwaitingEnd();
    if (this.#ended) return;
    if (this.#waiting) {
      this.#waiting.hasEnded = true;
      return;
    }
    if (this.#refused) return this.#refuse(this.#refused);
    const last = this.#splitter.end();
    if (last) this.#handleFrames([last]);
    if (this.#ended) return;
    try {
      for (const part of this.#reader.end()) {
        this.#report.add(part);
        this.#events.writePart(part);
      }
      this.#flush();
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

  #refuse(body: RefusedBody): void {
    this.#end();
    const response = readUnstreamed(body, this.#attempt, this.#deps.now());
    if (response instanceof RelayError) return this.#reject(response);
    this.#events.writeResponse(response);
    this.#complete();
  }

  /** The stream reached its end mark: send the remaining frames, then end the response to the caller. */
  #complete(): void {
    const failure = this.#events.passesThrough ? undefined : this.#report.findFailure();
    if (failure) {
      this.#upstream?.abort();
      return this.#interrupt(toRelayError(failure), failure.usage);
    }
    this.#end();
    this.#clock.awaitClose(() => this.#upstream?.abort());
    this.#conclude(false, undefined);
  }

  /** `reported`: the usage that upstream reported for the failed response. */
  #interrupt(error: RelayError, reported?: ReportedUsage): void {
    if (this.#ended) return;
    this.#report.fail(reported, this.#reader.usageSoFar?.());
    this.#clock.stopAwaitingEnd();
    this.#end();
    if (this.#caller.hasBegun() || this.#attempt.exchange.isDisconnected()) return this.#conclude(true, error);
    if (this.#hasOwnEnd) this.#attempt.keepFailure(() => this.#finish(true, error, true));
    this.#reject(error);
  }

  #onDisconnect(): void {
    if (this.#ended) return;
    // Also before the first byte: upstream may already be working on the call and bill for it.
    const { drainMs } = this.#attempt.terms;
    if (drainMs > 0) {
      setTimeout(() => this.#onCallerLost(), drainMs).unref();
      this.#upstream?.resume();
      return;
    }
    this.#onCallerLost();
  }

  #onCallerLost(): void {
    if (this.#ended) return;
    this.#upstream?.abort();
    const isSent = this.#upstream?.isSent() === true;
    this.#isPromptDue = isPromptDue({ isSent, status: this.#refused?.status ?? 0 });
    this.#interrupt(clientDisconnected());
  }

  #conclude(wasCut: boolean, error: RelayError | undefined): void {
    this.#finish(wasCut, error, false).then(this.#resolve, this.#reject);
  }

  /** Settles the attempt and ends the response. `isRecorded`: the failure of the attempt was recorded. */
  #finish(wasCut: boolean, error: RelayError | undefined, isRecorded: boolean): Promise<void> {
    const parts = { report: this.#report, events: this.#events, client: this.#caller, clock: this.#clock };
    const ending = { wasCut, error, isPromptDue: this.#isPromptDue, isRecorded };
    return concludeStream(this.#deps, this.#attempt, parts, ending);
  }
}
