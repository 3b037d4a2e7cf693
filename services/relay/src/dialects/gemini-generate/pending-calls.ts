import type { Json } from "../../core/chat/chat.ts";
import { asObject, parseJson } from "../../core/chat/json.ts";
import { seal } from "../../core/chat/encrypted-reasoning.ts";
import type { ReasoningPart } from "../../core/chat/reasoning.ts";
import type { ResponseContext } from "../../core/call/dialect.ts";
import { callWriter } from "./gemini-response.ts";

type Call = { readonly id: string; readonly name: string; readonly signature?: string; argumentsText: string };
type CallStart = Omit<Call, "argumentsText"> & { readonly index: number };

const isComplete = ({ argumentsText }: Call): boolean => asObject(parseJson(argumentsText)) !== undefined;

/**
 * The function calls of a stream whose arguments are still arriving, possibly interleaved, and the signed reasoning
 * that the next call carries: Google's format has no other field that its clients send back.
 */
export class PendingCalls {
  readonly #calls = new Map<number, Call>();
  readonly #write: ReturnType<typeof callWriter>;
  #text = "";
  #reasoning: ReasoningPart[] = [];

  constructor(context: ResponseContext) {
    this.#write = callWriter(context);
  }

  addReasoning(text: string): void {
    this.#text += text;
  }

  /** Signs the reasoning since the last signature. */
  sign(signature: string): void {
    this.#reasoning.push({ type: "reasoning", text: this.#text, signature });
    this.#text = "";
  }

  addRedacted(part: Extract<ReasoningPart, { type: "redacted-reasoning" }>): void {
    this.#reasoning.push(part);
  }

  begin({ id, index, name, signature: own }: CallStart): void {
    const signature = own ?? seal(this.#reasoning);
    this.#reasoning = [];
    this.#calls.set(index, { id, name, argumentsText: "", ...(signature === undefined ? {} : { signature }) });
  }

  addArguments(index: number, text: string): void {
    const call = this.#calls.get(index);
    if (call) call.argumentsText += text;
  }

  /** Takes the calls that are complete, up to the first that is not; all of them at the end of the stream. */
  take(isEnd: boolean): Json[] {
    const taken: Json[] = [];
    for (const [index, call] of this.#calls) {
      if (!isEnd && !isComplete(call)) break;
      this.#calls.delete(index);
      taken.push(this.#write(call));
    }
    return taken;
  }
}
