import type { Dialect, StreamWriter } from "../../core/call/dialect.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import type { ResponseSeal } from "../../core/call/response-seal.ts";
import type { Json } from "../../core/chat/chat.ts";
import { asObject, asObjects, asText } from "../../core/chat/json.ts";
import { parseExactJson } from "../../core/chat/exact-json.ts";
import { formatEvent } from "../../core/wire/stream.ts";
import { EventLog } from "./event-log.ts";
import { getOmitted, sealReasoning, SignedReasoning, toReasoningItems } from "./signed-reasoning.ts";
import { storeEnd } from "./stored-end.ts";
import type { StoredResponses } from "./stored-responses.ts";
import type { Recorded } from "./recorded-call.ts";

/** For how long a client waits for the end of a response that Redis does not take. */
const STORE_WAIT_MS = 2_000;
const ENDS: ReadonlySet<string> = new Set(["response.completed", "response.incomplete", "response.failed"]);
/** The statuses of responses whose output belongs to their conversation. */
const ADDED: ReadonlySet<unknown> = new Set(["completed", "incomplete"]);
const HAS_RESPONSE = /"response":\s*\{/;
const NUMBER = /"sequence_number":\s*(\d+)/;
const EVENT = /^(?:event: ([^\n]*)\n)?data: (.*)$/s;
const ERROR = /"type":\s*"error"/;

/**
 * Records the response of one call on its way to the client: its events, for an hour, and the response itself where no
 * provider stores it. Responses that the relay writes are reported as stored, and each one names the response that it
 * continues as the caller did.
 */
export class ResponseRecorder {
  readonly #responses: StoredResponses;
  readonly #recorded: Recorded;
  readonly #log: EventLog;
  /** Whose events are recorded: each attempt has its own writer and seal. */
  #source: unknown;
  #isSealed = false;
  #numbers = 0;
  #last: Json | undefined;
  /** The id under which the provider stores the response. */
  #continues: string | undefined;
  #reasoning: string | undefined;
  #isSettled = false;
  #isAdded = false;
  #settled: Promise<void> = Promise.resolve();
  #failure: Json | undefined;

  constructor(responses: StoredResponses, recorded: Recorded) {
    this.#responses = responses;
    this.#recorded = recorded;
    this.#log = new EventLog(responses, recorded.background);
    if (recorded.background) this.#log.begin({ userId: recorded.userId, id: recorded.background.id });
  }

  /** The call whose response is recorded. */
  record(call: RelayCall): RelayCall {
    const { dialect } = call;
    const recording: Dialect = {
      ...dialect,
      writeResponse: (response, context) => {
        const written = this.#patch(asObject(dialect.writeResponse(response, context)) ?? {}, false);
        this.#reasoning = getOmitted(context.requested, () => sealReasoning(response.parts));
        this.#settle(written);
        return written;
      },
      newStreamWriter: (context) => this.#recordWriter(dialect.newStreamWriter(context), context.requested),
    };
    return {
      ...call,
      dialect: recording,
      recordSealed: (seal) => this.#recordSeal(seal),
      untilStored: () => this.#untilSettled(),
    };
  }

  #untilSettled(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, STORE_WAIT_MS);
      void this.#settled.then(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** What the response was when it was last seen. */
  get last(): Json | undefined {
    return this.#last;
  }

  /** The error that ended the stream. */
  get failure(): Json | undefined {
    return this.#failure;
  }

  /** Stores how a response ended that did not end by itself. */
  settle(response: Json): void {
    this.#settle(response);
  }

  /** Stores nothing more, since another relay runs the response; false if its end is stored, or about to be. */
  abandon(): boolean {
    if (this.#isSettled) return false;
    this.#isSettled = true;
    this.#isAdded = true;
    this.#log.abandon();
    return true;
  }

  /** Resolves when everything is stored, as far as Redis takes it. */
  async close(): Promise<void> {
    await Promise.all([this.#log.end(), this.#settled]);
  }

  #patch(response: Json, isSealed: boolean): Json {
    const { previous, background, conversation, isStored = true } = this.#recorded;
    return {
      ...response,
      ...(background ? { id: background.id, background: true } : {}),
      ...(isStored && (background || !isSealed) ? { store: true } : {}),
      ...(conversation ? { conversation: { id: conversation.id } } : {}),
      ...(previous === undefined ? {} : { previous_response_id: previous }),
    };
  }

  #recordWriter(writer: StreamWriter, requested: Json | undefined): StreamWriter {
    const take = (text: string): string => this.#takeText(text);
    const reasoning = new SignedReasoning();
    return {
      ...(writer.follow && { follow: (data) => writer.follow?.(data) }),
      ...(writer.rewriteFailure && { rewriteFailure: (event, error) => writer.rewriteFailure?.(event, error) }),
      write: (part) => {
        // A pass-through stream that the relay may have to end is followed by a writer whose events are not sent.
        const isSent = !this.#isSealed || part.type === "finish";
        reasoning.take(part);
        if (part.type === "finish") this.#reasoning = getOmitted(requested, () => reasoning.seal());
        const text = writer.write(part);
        if (!isSent || text === "") return text;
        if (!this.#isSealed) this.#begin(writer);
        return take(text);
      },
      fail: (error, requestId) => take(writer.fail(error, requestId)),
    };
  }

  #recordSeal(seal: ResponseSeal): ResponseSeal {
    return {
      body: (raw) => {
        const sealed = seal.body(raw);
        if (this.#recorded.previous === undefined && !this.#recorded.conversation) return sealed;
        const response = asObject(parseExactJson(sealed.toString("utf8")));
        if (!response) return sealed;
        this.#addOutput(response);
        return Buffer.from(JSON.stringify(this.#patch(response, true)));
      },
      event: (event) => {
        this.#begin(seal);
        this.#isSealed = true;
        return Buffer.from(this.#takeText(seal.event(event).toString("utf8")));
      },
    };
  }

  #begin(source: unknown): void {
    if (this.#source === source) return;
    if (this.#source !== undefined) this.#log.restart();
    this.#source = source;
    this.#numbers = 0;
  }

  /** Records the events of a text, and returns what is sent instead. */
  #takeText(text: string): string {
    const frames = text.split("\n\n").filter((frame) => frame !== "");
    return frames.map((frame) => this.#takeFrame(frame)).join("");
  }

  #takeFrame(frame: string): string {
    const [, name, data = ""] = EVENT.exec(frame) ?? [];
    const event = HAS_RESPONSE.test(data) ? asObject(parseExactJson(data)) : undefined;
    const response = asObject(event?.["response"]);
    if (ERROR.test(data)) this.#noteError(data);
    const { firstNumber = 0 } = this.#recorded.background ?? {};
    const written = event && response ? this.#takeResponse(name, event, response) : `${frame}\n\n`;
    const number = Number(NUMBER.exec(written)?.[1] ?? this.#numbers) + firstNumber;
    this.#numbers = number - firstNumber + 1;
    const text = firstNumber === 0 ? written : written.replace(NUMBER, `"sequence_number":${number}`);
    if (this.#recorded.isStored !== false) this.#log.add({ number, text });
    return text;
  }

  #takeResponse(name: string | undefined, event: Json, given: Json): string {
    if (this.#isSealed) this.#continues = asText(given["id"]);
    const response = this.#patch(given, this.#isSealed);
    const id = asText(response["id"]);
    if (id && this.#recorded.isStored !== false) this.#log.begin({ userId: this.#recorded.userId, id });
    this.#last = response;
    if (ENDS.has(String(event["type"]))) this.#settle(response);
    return formatEvent({ event: name, data: JSON.stringify({ ...event, response }) });
  }

  #noteError(data: string): void {
    const event = asObject(parseExactJson(data));
    if (event?.["type"] !== "error") return;
    this.#failure = { code: "server_error", message: asText(event["message"]) ?? "the response was cut off" };
  }

  /** Adds the output of a response that did not fail to its conversation, once. */
  #addOutput({ status, output }: Json): void {
    const { conversation } = this.#recorded;
    if (!conversation || this.#isAdded || !ADDED.has(status)) return;
    this.#isAdded = true;
    // A conversation that was deleted meanwhile, or is full, does not fail its response.
    const items = [...toReasoningItems(this.#reasoning), ...asObjects(output)];
    const add = async (): Promise<void> => {
      // Another relay adds its own output.
      if ((await this.#recorded.background?.isOwner()) !== false) await conversation.add(items);
    };
    const added = add().catch(() => undefined);
    this.#settled = Promise.all([this.#settled, added]).then(() => undefined);
  }

  /** Stores a response once; those that a provider stores are left to it. */
  #settle(response: Json): void {
    const { userId, background, getInput, isStored = true } = this.#recorded;
    this.#addOutput(response);
    const id = asText(response["id"]);
    if (this.#isSettled || !isStored || id === undefined || (this.#isSealed && !background)) return;
    this.#isSettled = true;
    const continues = this.#continues === undefined ? {} : { continues: this.#continues };
    const reasoning = this.#reasoning === undefined ? {} : { reasoning: this.#reasoning };
    const content = { response, input: getInput(), ...continues, ...reasoning };
    const end = storeEnd(this.#responses, { userId, id }, content, background?.run);
    this.#settled = Promise.all([this.#settled, end]).then(() => undefined);
  }
}
