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
import type { AnswerHeaders, UpstreamCall, UpstreamClient } from "../../upstream/upstream-client.ts";
import { type ClientStream, createClientStream } from "./client-stream.ts";
import { getResponseContext, type RelayCall } from "../../core/call/relay-call.ts";
import type { Exchange } from "../../core/call/exchange.ts";
import { type Prepared, tellsUsageWhenAsked } from "../prepare/request-preparation.ts";
import { modelAnswered } from "./attempt-telemetry.ts";
import { addPiece, beginUnstreamed, readUnstreamed, type RefusedBody } from "./refused-body.ts";
import { resolveUsage, type ResolvedUsage } from "../settle/usage-resolution.ts";
import { hasUsageOnly, usageChunk } from "./usage-chunk.ts";

/** How a stream that reached the caller ended; `error` is what cut it. */
export type StreamResult = ResolvedUsage & { readonly error: RelayError | undefined };

type Deps = { readonly client: UpstreamClient; readonly tokenizer: Tokenizer; readonly now: () => number };
type Attempt = {
  readonly call: RelayCall;
  readonly exchange: Exchange;
  readonly prepared: Prepared;
  readonly meter: CallMeter;
  /** Charges the call or gives its hold back. The end of the answer waits for it. */
  readonly settle: (result: StreamResult) => Promise<void> | void;
  /** A failure as the caller may see it. */
  readonly toldAs: (error: RelayError) => RelayError;
  readonly statusCodeMapping: Readonly<Record<string, string>>;
  readonly drainOnDisconnect: boolean;
};

/** Comments alone keep a stream alive for so many times its idle limit: some providers send them while a model thinks. */
const COMMENTED_SHARE = 10;
/** After the caller left, a drained stream may go on this long. */
const DRAIN_MS = 120_000;
/** After the end mark, upstream gets this long to close its body, so that the connection can be used again. */
const TRAILING_MS = 1_000;
/** A stream whose end is that of its bytes (Google's) may stay open behind its finish for so long. */
const QUIET_MS = 5_000;
const DONE = "[DONE]";
const DONE_FRAME = Buffer.from(`data: ${DONE}\n\n`);

/**
 * Makes one attempt at a streamed answer. Until the first event that can be read, nothing is sent to the caller and every failure
 * rejects, so that another channel can be tried; from then on each frame goes out when it arrives, and the promise resolves when
 * the stream has ended, well or not. The caller never sees a cut stream end cleanly.
 */
export function attemptStream(deps: Deps, attempt: Attempt): Promise<void> {
  return new Promise((resolve, reject) => new StreamAttempt(deps, attempt, resolve, reject).run());
}

/** The state of one streamed attempt. A class, since a dozen callbacks share it. */
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
  /** Upstream's name of the answer. */
  #id = "";
  #trailing: NodeJS.Timeout | undefined;
  /** Runs while nothing but the end of the bytes is missing. */
  #quiet: NodeJS.Timeout | undefined;
  #usage: ReportedUsage;
  #finish: Extract<StreamPart, { type: "finish" }> | undefined;
  /** The end mark of a stream that goes through went out. */
  #hasEndMark = false;
  /** Of an answer that is bytes of some kind. */
  #contentType: string | undefined;
  /** Upstream's frames go to the caller as they are. */
  #passesThrough: boolean;
  #sentAt = 0;
  /** When upstream last sent more than a comment. */
  #framedAt = 0;
  /** When upstream last sent something before the caller got anything. */
  #heardAt = 0;

  constructor(deps: Deps, attempt: Attempt, resolve: () => void, reject: (error: unknown) => void) {
    this.#deps = deps;
    this.#attempt = attempt;
    this.#resolve = resolve;
    this.#reject = reject;
    const { call, prepared } = attempt;
    this.#passesThrough = prepared.passThrough;
    this.#splitter = ((prepared.written ?? prepared.provider).newFrameSplitter ?? createFrameSplitter)();
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
        // A reader that waits for the end of the bytes though the end mark was there (Google's) has lost nothing.
        if (this.#caller.hasBegun() && this.#reader.isComplete()) this.#onEnd();
        else this.#interrupt(this.#broken(toRelayError(error)));
      },
    });
    exchange.onDisconnect(() => this.#onCallerGone());
  }

  #onHead(status: number, headers: AnswerHeaders): void {
    const { prepared, call } = this.#attempt;
    this.#refused = beginUnstreamed(status, headers, prepared);
    const toldType = prepared.written?.contentType ?? String(headers["content-type"] ?? "");
    if (toldType !== "" && call.dialect.endpoint?.answersBytes) this.#contentType = toldType;
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
      // The frames that end the answer go out with its settlement.
      if (!this.#ended) this.#caller.flush();
    } catch (error) {
      const failure = toRelayError(error);
      // Of a stream that fails within its first chunk nothing has left yet: another channel can serve the call.
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
      const goesOn = this.#caller.hasBegun() && passThrough && frame.raw.length > 2;
      if (goesOn && isSilent(frame.raw)) this.#caller.write(frame.raw);
      return this.#checkSilence();
    }
    this.#framedAt = performance.now();
    const parts = this.#reader.read(frame.event);
    // Nothing of the answer yet: were it sent, no other channel could be tried.
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

  /** Usage that only we asked for stays here; the end mark waits where the caller asked for usage that upstream did not send. */
  #isWithheld(data: string): boolean {
    const { call } = this.#attempt;
    if (!tellsUsageWhenAsked(call.dialect.name)) return false;
    if (data !== DONE) return !call.includeUsage && hasUsageOnly(data);
    this.#hasEndMark = !call.includeUsage || this.#usage !== undefined;
    return !this.#hasEndMark;
  }

  #checkHold(): void {
    const enough = this.#attempt.meter.produced(this.#produced.roughTokens());
    if (enough === true) return;
    const stopIfRefused = (covered: boolean): void => {
      if (covered || this.#ended) return;
      this.#upstream?.abort();
      this.#interrupt(new RelayError("insufficient_user_quota", "the balance does not cover the rest of this answer"));
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

  /** A connection that is lost half-way had been reached. */
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

  /** The stream reached its end mark: send what is still owed, then tell the caller's side that it is over. */
  #complete(): void {
    this.#ended = true;
    this.#trailing = setTimeout(() => this.#upstream?.abort(), TRAILING_MS);
    this.#trailing.unref();
    this.#conclude(false, undefined).catch(this.#reject);
  }

  /** `told`: what upstream said the failed answer used. */
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
    // Also before the first byte: upstream may already be at work, and bills for it.
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
    this.#interrupt(new RelayError("stream_interrupted", "the caller left before the answer was complete"));
  }

  async #conclude(wasCut: boolean, error: RelayError | undefined): Promise<void> {
    const { call, exchange, settle, toldAs } = this.#attempt;
    const { tokenizer } = this.#deps;
    const resolved = await resolveUsage({ call, reported: this.#usage, produced: this.#produced, wasCut, tokenizer });
    if (!error) call.firstByteAtMs ??= this.#deps.now();
    await settle({ ...resolved, error });
    // Bytes have no form for an error: the broken connection tells.
    if (error && call.dialect.endpoint?.answersBytes) exchange.response.destroy();
    else if (!exchange.isDisconnected()) {
      if (error) this.#caller.write(this.#writer.fail(toldAs(error), exchange.requestId));
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
    // Some providers end without the mark; whoever reads OpenAI's streams waits for it. Other formats end with what said so.
    if (this.#hasEndMark || !tellsUsageWhenAsked(call.dialect.name)) return;
    if (call.includeUsage && !this.#usage) this.#caller.write(usageChunk(call, this.#id, usage));
    this.#caller.write(DONE_FRAME);
  }
}
