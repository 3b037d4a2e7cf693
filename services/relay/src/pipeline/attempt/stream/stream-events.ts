import type { TokenUsage } from "@turnpike/contract/pricing/usage";
import type { ChatResponse, StreamPart } from "../../../core/chat/chat.ts";
import type { StreamWriter } from "../../../core/call/dialect.ts";
import { getResponseContext, type RelayCall } from "../../../core/call/relay-call.ts";
import type { ResponseSeal } from "../../../core/call/response-seal.ts";
import { removeReportedCost } from "../../../core/vendors/upstream-cost.ts";
import type { RelayError } from "../../../core/errors/relay-error.ts";
import { parseFrame } from "../../../upstream/frame-splitter.ts";
import { formatEvent, type Frame, type StreamEvent } from "../../../core/wire/stream.ts";
import { getSteps } from "../../../providers/shared/single-frame-stream.ts";
import type { ClientStream } from "./client-stream.ts";
import type { StreamReport } from "./stream-report.ts";
import { addChargeToEvents, isFinalUsage } from "../usage-charge.ts";
import { hasUsageOnly, usageChunk } from "./usage-chunk.ts";

const DONE = "[DONE]";
const DONE_FRAME = Buffer.from(`data: ${DONE}\n\n`);

/**
 * The events of a stream that the client receives: upstream's frames unchanged (pass-through), or their parts in the
 * client's dialect.
 */
export class StreamEvents {
  /** Upstream's frames are passed through to the client. */
  passesThrough: boolean;
  readonly #call: RelayCall;
  readonly #report: StreamReport;
  readonly #client: ClientStream;
  readonly #writer: StreamWriter;
  readonly #seal: ResponseSeal | undefined;
  /** The end mark of a pass-through stream was sent. */
  #hasEndMark = false;
  /** What upstream sent from its final usage on; it waits for the charge. Undefined if the caller did not request it. */
  readonly #last: (string | Buffer)[] | undefined;
  /** The newest event of a pass-through stream, for dialects that number their events. */
  #newest: Buffer | undefined;
  /** The event by which upstream reported that the response failed. */
  #failure: StreamEvent | undefined;

  constructor(
    call: RelayCall,
    report: StreamReport,
    client: ClientStream,
    { passesThrough, includesCharge }: { readonly passesThrough: boolean; readonly includesCharge: boolean },
  ) {
    this.#call = call;
    this.#report = report;
    this.#client = client;
    this.passesThrough = passesThrough;
    this.#last = includesCharge ? [] : undefined;
    this.#writer = call.dialect.newStreamWriter(getResponseContext(call));
    const choice = call.sealing && call.tried.at(-1);
    this.#seal = choice && call.sealing?.(choice);
  }

  /** Writes an event: its frame unchanged, or its parts in the client's dialect. */
  writeEvent(raw: Frame["raw"], event: StreamEvent, parts: readonly StreamPart[]): void {
    if (this.passesThrough) this.#writeFrame(raw, event);
    for (const part of parts) {
      if (this.passesThrough) this.#follow(part);
      else this.writePart(part);
    }
  }

  /** Converts the text of an event that was not parsed completely; false if there is none. */
  convertText(text: string | undefined): boolean {
    // Dialects differ in whether an empty text is an event.
    if (text === undefined || text === "") return false;
    this.#report.addText(text);
    this.writePart({ type: "text-delta", text });
    return true;
  }

  #writeFrame(raw: Frame["raw"], event: StreamEvent): void {
    if (this.#isWithheld(event.data)) return;
    const data = removeReportedCost(event.data);
    const own = data === undefined ? event : { ...event, data };
    const bytes = this.#seal?.event(own) ?? (data === undefined ? raw : Buffer.from(formatEvent(own)));
    if (this.#writer.follow) this.#noteSent(bytes);
    if (this.#last && (this.#last.length > 0 || isFinalUsage(own))) this.#last.push(bytes);
    else this.#client.write(bytes);
  }

  /** The first event is read at once, since it is large; of the others only the newest matters. */
  #noteSent(bytes: Buffer): void {
    if (this.#newest === undefined) this.#followEvent(bytes);
    this.#newest = bytes;
  }

  #followEvent(bytes: Buffer | undefined): void {
    const data = bytes && parseFrame(bytes.toString())?.data;
    if (data !== undefined) this.#writer.follow?.(data);
  }

  /** Keeps the event by which upstream reported a failure, if the client can get it as it is; returns whether it ends the response. */
  keepFailure(event: StreamEvent, error: RelayError): boolean {
    if (!this.passesThrough) return false;
    this.#failure = event;
    return this.#writer.rewriteFailure?.(event, error)?.isEnd === true;
  }

  /**
   * Follows a pass-through stream that the relay may have to end itself, so that its end closes what upstream opened.
   */
  #follow(part: StreamPart): void {
    if (this.#call.chargeLimit && part.type !== "finish") this.#writer.write(part);
  }

  /** From here on the relay writes the stream instead of upstream. */
  takeOver(): void {
    this.#followEvent(this.#newest);
    this.passesThrough = false;
  }

  /** Writes a part of a converted stream; its finish is written by `end`, with the settled usage. */
  writePart(part: StreamPart): void {
    if (!this.passesThrough && part.type !== "finish") this.#client.write(this.#writer.write(part));
  }

  /** Writes a non-streaming response as the events of a stream, up to its finish. */
  writeResponse(response: ChatResponse): void {
    this.passesThrough = false;
    for (const part of getSteps(response)) {
      this.#report.add(part);
      this.writePart(part);
    }
  }

  /**
   * Usage that only the relay requested is not passed on; the end mark is delayed if the caller requested usage that
   * upstream did not send.
   */
  #isWithheld(data: string): boolean {
    const call = this.#call;
    if (!call.dialect.usageOnRequest) return false;
    if (data !== DONE) return !call.includeUsage && hasUsageOnly(data);
    this.#hasEndMark = !call.includeUsage || this.#report.usage !== undefined;
    return !this.#hasEndMark;
  }

  /** Sends the end of a response, with the charge where it was requested. */
  #writeLast(events: string | Buffer, charge: string | undefined): void {
    this.#client.write(this.#last ? addChargeToEvents(events, charge) : events);
  }

  #flushLast(charge: string | undefined): void {
    for (const events of this.#last ?? []) this.#writeLast(events, charge);
  }

  fail(error: RelayError, requestId: string, charge: string | undefined): void {
    const own = this.#failure && this.#writer.rewriteFailure?.(this.#failure, error);
    if (own) this.#writeFrame(Buffer.from(formatEvent(own.event)), own.event);
    this.#flushLast(charge);
    if (own?.isEnd) return;
    if (this.passesThrough) this.#followEvent(this.#newest);
    this.#client.write(this.#writer.fail(error, requestId));
  }

  /** Writes the end; `charge` is in dollars. */
  end(usage: TokenUsage, charge: string | undefined): void {
    const call = this.#call;
    const report = this.#report;
    if (!this.passesThrough) {
      this.#writeLast(this.#writer.write({ type: "finish", reason: "stop", ...report.finish, usage }), charge);
      return;
    }
    this.#flushLast(charge);
    // Some providers omit the end mark that readers of OpenAI streams wait for. Other formats end with their finish
    // event.
    if (this.#hasEndMark || !call.dialect.usageOnRequest) return;
    if (call.includeUsage && !report.usage) this.#writeLast(usageChunk(call, report.id, usage), charge);
    this.#client.write(DONE_FRAME);
  }
}
