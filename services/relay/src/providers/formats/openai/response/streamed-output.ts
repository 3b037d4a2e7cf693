import type { Citation, Json, ReportedUsage, StreamPart } from "../../../../core/chat/chat.ts";
import { asCount, asList, asNumber, asObject, asObjects, asText } from "../../../../core/chat/json.ts";
import { INPUT_END, writeInputPiece } from "../../../../core/vendors/custom-input.ts";
import { getImageType } from "../../../../core/chat/image-type.ts";
import { getCitation } from "./openai-citations.ts";
import { createToolCount } from "../openai-own-tools.ts";
import { CALLS, DELTAS, type Done, DONES, getTexts, type Kind, type TextEvent } from "./output-texts.ts";

/** Separator between the parts of a summary, each of which has its own heading. */
export const PARAGRAPH = "\n\n";

/** One text of an item, and how much of it was read. */
type Text = { readonly kind: Kind; readonly item: number; readonly place: number; length: number };

/** The image of an item that is done, in base64; undefined for other items and for images that failed. */
export function readGeneratedImage({
  type,
  result,
}: Json): { readonly mediaType: string; readonly data: string } | undefined {
  if (type !== "image_generation_call" || typeof result !== "string" || result === "") return undefined;
  return { mediaType: getImageType(result), data: result };
}

/** Other annotations refer to files. */
export function readCitation(value: unknown, textStart: number): Citation[] {
  const annotation = asObject(value);
  return annotation?.["type"] === "url_citation" ? getCitation(annotation, textStart) : [];
}

/**
 * The output items of a stream: their text, reasoning, calls and citations. What a `done` event has beyond the deltas is
 * read from it, since some models send the whole text there alone.
 */
export class StreamedOutput {
  readonly #tools = createToolCount();
  /** Calls are numbered in order here, whereas upstream numbers all items. */
  readonly #calls = new Map<number, number>();
  /** How far the input of each call of a custom tool is. */
  readonly #customs = new Map<number, "empty" | "open" | "ended">();
  readonly #texts: Text[] = [];
  readonly #citations: Citation[] = [];
  /** The text that the latest event continued: nearly every event continues the same one. */
  #current: Text | undefined;
  /** The item and the part that were added last, for upstreams whose events do not name theirs. */
  #newestItem = 0;
  #newestPlace = 0;
  #textLength = 0;
  /** The offset of the current text in the whole response. */
  #textStart = 0;
  #hasDoneItems = false;

  /** Reads an event of an item. */
  read(type: string, event: Json): StreamPart[] {
    const delta = DELTAS[type];
    if (delta) return this.#readDelta(delta, event);
    const done = DONES[type];
    if (done) return this.#readDone(done, event);
    switch (type) {
      case "response.output_item.added":
        this.#newestItem = this.#getItem(event);
        this.#newestPlace = 0;
        return this.#beginCall(this.#newestItem, asObject(event["item"]) ?? {});
      case "response.content_part.added":
        this.#textStart = this.#textLength;
        this.#newestPlace = asCount(event["content_index"]);
        return [];
      case "response.reasoning_summary_part.added":
        this.#newestPlace = asCount(event["summary_index"]);
        return [];
      case "response.output_text.annotation.added":
        this.#citations.push(...readCitation(event["annotation"], this.#textStart));
        return [];
      case "response.output_item.done":
        return this.#readItem(this.#getItem(event), asObject(event["item"]) ?? {});
      default:
        return [];
    }
  }

  /** Reads the output of the complete response, if no event had any of it, and ends what is open. */
  readAll(output: readonly unknown[]): StreamPart[] {
    if (this.#hasDoneItems || this.#calls.size > 0 || this.#texts.length > 0)
      return [...this.#customs.keys()].flatMap((item) => this.#endInput(item));
    return output.flatMap((item, index) => this.#readItem(index, asObject(item) ?? {}));
  }

  /** The cited pages as a field of the finish; empty if there are none. */
  citations(): { readonly citations?: readonly Citation[] } {
    return this.#citations.length === 0 ? {} : { citations: this.#citations };
  }

  get hasCalls(): boolean {
    return this.#calls.size > 0;
  }

  get hasRefusal(): boolean {
    return this.#texts.some(({ kind, length }) => kind === "refusal" && length > 0);
  }

  /** The usage with the tools that upstream ran. */
  withTools(usage: ReportedUsage): ReportedUsage {
    return this.#tools.onto(usage);
  }

  /** The tools that upstream ran so far. */
  usageSoFar(): ReportedUsage {
    return this.#tools.alone();
  }

  #getItem(event: Json): number {
    return asNumber(event["output_index"]) ?? this.#newestItem;
  }

  #getPlace(event: Json, field: string): number {
    return field === "" ? 0 : (asNumber(event[field]) ?? this.#newestPlace);
  }

  #beginCall(item: number, { type, call_id: id, name }: Json): StreamPart[] {
    if (!CALLS.has(type) || this.#calls.has(item)) return [];
    if (type === "custom_tool_call") this.#customs.set(item, "empty");
    const index = this.#calls.size;
    this.#calls.set(item, index);
    return [{ type: "tool-call-start", index, id: asText(id) ?? "", name: asText(name) ?? "" }];
  }

  #readDelta([kind, field, place]: TextEvent, event: Json): StreamPart[] {
    const delta = asText(event[field]);
    return delta ? this.#add(this.#find(kind, this.#getItem(event), this.#getPlace(event, place)), delta) : [];
  }

  #readDone([kind, field, place]: TextEvent, event: Json): StreamPart[] {
    const text = asText(event[field]);
    return text ? this.#complete(this.#getItem(event), { kind, place: this.#getPlace(event, place), text }) : [];
  }

  #readItem(item: number, value: Json): StreamPart[] {
    this.#tools.add(value);
    this.#hasDoneItems = true;
    const image = readGeneratedImage(value);
    if (image) return [{ type: "media", ...image, isOfTool: true }];
    const begun = this.#beginCall(item, value);
    const known = new Set(this.#texts.flatMap((text) => (text.item === item ? [text.kind] : [])));
    // Some upstreams repeat the reasoning as a summary.
    const texts = getTexts(value).filter(({ kind }) => known.size === 0 || known.has(kind));
    const cited = known.size === 0 && value["type"] === "message" ? asObjects(value["content"]) : [];
    return [
      ...begun,
      ...texts.flatMap((done) => {
        const start = this.#textLength;
        const parts = this.#complete(item, done);
        for (const annotation of asList(cited[done.place]?.["annotations"]))
          this.#citations.push(...readCitation(annotation, start));
        return parts;
      }),
      ...this.#endInput(item),
    ];
  }

  /** Reads what the whole text has beyond the deltas. */
  #complete(item: number, { kind, place, text }: Done): StreamPart[] {
    const known = this.#find(kind, item, place);
    return text.length > known.length ? this.#add(known, text.slice(known.length)) : [];
  }

  #find(kind: Kind, item: number, place: number): Text {
    const is = (text: Text | undefined): text is Text =>
      text !== undefined && text.kind === kind && text.item === item && text.place === place;
    if (is(this.#current)) return this.#current;
    let found = this.#texts.find(is);
    if (!found) {
      found = { kind, item, place, length: 0 };
      this.#texts.push(found);
    }
    this.#current = found;
    return found;
  }

  /** The input of a custom tool becomes the one argument of a function. */
  #addArguments(item: number, delta: string): StreamPart[] {
    const index = this.#calls.get(item);
    const custom = this.#customs.get(item);
    if (index === undefined) return [];
    if (custom === undefined) return [{ type: "tool-call-delta", index, argumentsText: delta }];
    this.#customs.set(item, "open");
    return [{ type: "tool-call-delta", index, argumentsText: writeInputPiece(delta, custom === "empty") }];
  }

  /** Ends the input of a custom tool, which a later event might continue until its item is done. */
  #endInput(item: number): StreamPart[] {
    const index = this.#calls.get(item);
    if (index === undefined || this.#customs.get(item) !== "open") return [];
    this.#customs.set(item, "ended");
    return [{ type: "tool-call-delta", index, argumentsText: INPUT_END }];
  }

  #add(text: Text, delta: string): StreamPart[] {
    const isFirst = text.length === 0;
    text.length += delta.length;
    switch (text.kind) {
      case "text":
        this.#textLength += delta.length;
        return [{ type: "text-delta", text: delta }];
      case "refusal":
        this.#textLength += delta.length;
        return [{ type: "text-delta", text: delta, isRefusal: true }];
      case "arguments":
        return this.#addArguments(text.item, delta);
      default: {
        const isParagraph = text.kind === "summary" && text.place > 0 && isFirst;
        return [{ type: "reasoning-delta", text: isParagraph ? PARAGRAPH + delta : delta }];
      }
    }
  }
}
