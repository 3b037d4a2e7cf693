import { encryptedField, requestsEncryptedReasoning } from "../../core/chat/encrypted-reasoning.ts";
import { encodeCallSignature } from "../../core/chat/call-signatures.ts";
import { toMarkdownMedia } from "../shared/response-media.ts";
import type { Citation, Json, StreamPart } from "../../core/chat/chat.ts";
import { parseJson } from "../../core/chat/json.ts";
import type { RelayError } from "../../core/errors/relay-error.ts";
import type { ResponseContext, StreamWriter } from "../../core/call/dialect.ts";
import { typedEvent } from "../shared/sse.ts";
import { createToolCatalog, type ToolCatalog } from "./tool-catalog.ts";
import { FAILED, readSentEvent, rewriteFailure, toFailedResponse } from "./response-failure.ts";
import { isIncomplete } from "../../core/chat/finish-reasons.ts";
import { endedResponse, summaryPart } from "./responses-wire.ts";
import {
  type CallName,
  closePart,
  type Emit,
  inSummary,
  inText,
  type Item,
  newItem,
  ofItem,
  openPart,
  startEvents,
  written,
} from "./stream-items.ts";

type ToolCallStart = Extract<StreamPart, { type: "tool-call-start" }>;
type Finish = Extract<StreamPart, { type: "finish" }>;

const NO_CALL: CallName = { callId: "", name: "" };

/** The events of a streaming response, numbered; each item opens before its text and closes once. */
export class ResponsesStreamWriter implements StreamWriter {
  readonly #context: ResponseContext;
  readonly #items: Item[] = [];
  readonly #calls = new Map<number, Item>();
  readonly #keepsSeals: boolean;
  #number = 0;
  /** Upstream's own events were sent. */
  #isFollowing = false;
  /** The response as upstream created it, where its events are passed through. */
  #created: Json | undefined;
  /** Created by the first call: writers of pass-through streams never need it. */
  #catalog: ToolCatalog | undefined;

  constructor(context: ResponseContext) {
    this.#context = context;
    this.#keepsSeals = requestsEncryptedReasoning(context.requested);
  }

  write(part: StreamPart): string {
    switch (part.type) {
      case "start":
        return startEvents(this.#context, this.#emit);
      case "text-delta":
        return this.#writeDelta(part.isRefusal ? "refusal" : "message", part.text);
      case "media":
        return this.#writeDelta("message", toMarkdownMedia(part));
      case "reasoning-delta":
        return this.#writeDelta("reasoning", part.text);
      case "reasoning-signature":
        return this.#sign(part.signature);
      case "redacted-reasoning":
        return this.#redact(part.data);
      case "tool-call-start":
        return this.#beginCall(part);
      case "tool-call-delta":
        return this.#addArguments(part.index, part.argumentsText);
      case "finish":
        return this.#finish(part);
      default:
        return "";
    }
  }

  follow(data: string): void {
    const { number, response } = readSentEvent(data);
    this.#isFollowing = true;
    if (number !== undefined) this.#number = number + 1;
    this.#created ??= response;
  }

  readonly rewriteFailure = rewriteFailure;

  fail(error: RelayError, requestId: string): string {
    const hasBegun = this.#isFollowing || this.#number > 0;
    const begun = hasBegun ? "" : startEvents(this.#context, this.#emit);
    const output = this.#items.filter(({ isClosed }) => isClosed).map((item) => written(item, true));
    const response = toFailedResponse(this.#context, error, { created: this.#created, output, requestId });
    return begun + this.#emit(FAILED, { response });
  }

  readonly #emit: Emit = (type, data) => typedEvent({ type, sequence_number: this.#number++, ...data });

  #writeDelta(kind: "message" | "refusal" | "reasoning", delta: string): string {
    const [item, opened] = this.#continue(kind);
    const isFirst = item.text === "";
    item.text += delta;
    if (kind === "message")
      return opened + this.#emit("response.output_text.delta", { ...inText(item), delta, logprobs: [] });
    if (kind === "refusal") return opened + this.#emit("response.refusal.delta", { ...inText(item), delta });
    const summary = { ...inSummary(item), part: summaryPart("") };
    const begun = isFirst ? this.#emit("response.reasoning_summary_part.added", summary) : "";
    return opened + begun + this.#emit("response.reasoning_summary_text.delta", { ...inSummary(item), delta });
  }

  /** Signed reasoning is an item of its own, closed by its signature. */
  #sign(signature: string): string {
    if (!this.#keepsSeals) return "";
    const [item, opened] = this.#continue("reasoning");
    item.seal = encryptedField({ type: "reasoning", text: item.text, signature });
    return opened + this.#close(item);
  }

  #redact(data: string): string {
    if (!this.#keepsSeals) return "";
    const [item, opened] = this.#open("reasoning");
    item.seal = encryptedField({ type: "redacted-reasoning", data });
    return opened + this.#close(item);
  }

  #beginCall({ index, id, name, signature }: ToolCallStart): string {
    const signed = this.#signCall(encodeCallSignature({ id, signature }));
    this.#catalog ??= createToolCatalog(this.#context.requested);
    const tool = this.#catalog.find(name);
    const [item, opened] = this.#open("call", tool ? { callId: id, name, tool } : { callId: id, name });
    this.#calls.set(index, item);
    return signed + opened;
  }

  /** The provider's signature of a call is a reasoning item before it. */
  #signCall(sealed: string | undefined): string {
    if (sealed === undefined) return "";
    const [item, opened] = this.#open("reasoning");
    item.seal = { encrypted_content: sealed };
    return opened + this.#close(item);
  }

  #addArguments(index: number, delta: string): string {
    const item = this.#calls.get(index);
    if (!item || item.isClosed || delta === "") return "";
    item.text += delta;
    // Other tools have no arguments as text: their input is known when the arguments are complete.
    const isFunction = (item.tool?.kind ?? "function") === "function";
    return isFunction ? this.#emit("response.function_call_arguments.delta", { ...ofItem(item), delta }) : "";
  }

  #finish({ citations, reason, usage }: Finish): string {
    this.#cite(citations);
    const last = this.#items.at(-1);
    if (last && !last.isClosed && isIncomplete(reason)) last.isCut = true;
    const closed = this.#items.map((item) => this.#close(item)).join("");
    const output = this.#items.map((item) => written(item, true));
    const response = endedResponse(this.#context, { output, reason, usage });
    return closed + this.#emit(`response.${String(response["status"])}`, { response });
  }

  /** Citation offsets count from the start of all text, so they apply only to a single text item that is still open. */
  #cite(citations: readonly Citation[] = []): void {
    const [message, another] = this.#items.filter(({ kind }) => kind === "message");
    if (message && !another && !message.isClosed) message.citations = citations;
  }

  /** The last item if it is of this kind and open, else a new one, and the events that open it. */
  #continue(kind: "message" | "refusal" | "reasoning"): [Item, string] {
    const last = this.#items.at(-1);
    return last?.kind === kind && !last.isClosed ? [last, ""] : this.#open(kind);
  }

  #open(kind: Item["kind"], call = NO_CALL): [Item, string] {
    const item = newItem(kind, this.#items.length, this.#context.requestId, call);
    const closed = this.#closeFinished();
    this.#items.push(item);
    const added = { output_index: item.at, item: written(item, false) };
    return [item, closed + this.#emit("response.output_item.added", added) + openPart(item, this.#emit)];
  }

  /** A new item closes text items, and calls with complete arguments: upstreams may interleave several calls. */
  #closeFinished(): string {
    return this.#items
      .filter(({ kind, text }) => kind !== "call" || parseJson(text) !== undefined)
      .map((item) => this.#close(item))
      .join("");
  }

  #close(item: Item): string {
    if (item.isClosed) return "";
    item.isClosed = true;
    const closed = closePart(item, this.#emit);
    return closed + this.#emit("response.output_item.done", { output_index: item.at, item: written(item, true) });
  }
}
