import type { StreamPart } from "../../core/chat/chat.ts";
import { countWords, estimatePartTokens } from "./token-estimate.ts";
import { TokenSample } from "./token-sample.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** Text buffered until it is counted. */
const PIECE_CHARACTERS = 64 * 1024;
/** Texts are joined in groups of this size: a part of an event's data keeps the whole event in memory. */
const JOINED_TEXTS = 16;

/** Tokens of a generated image if upstream reports none. */
const IMAGE_TOKENS = 258;

/**
 * Counts the text generated so far in bounded memory, for charges where upstream reports no usage. One chunk at a time
 * is sent to the tokenizer; text that arrives faster than it is counted is extrapolated from the counted chunks.
 */
export class GeneratedText {
  readonly #tokenizer: Tokenizer;
  readonly #sample: TokenSample;
  /** Text that is not counted yet, its latest parts not joined. */
  #piece = "";
  #texts: string[] = [];
  #pieceLength = 0;
  #pieceRough = 0;
  /** The estimate of the whole text, and its length. */
  #rough = 0;
  #characters = 0;
  /** The fewest tokens that the text may have, until a sample of it was counted. */
  #leastTokens = 0;
  #images = 0;
  #counting: Promise<void> | undefined;
  /** The tokenizer's count of earlier text, and the estimate of the same text. */
  readonly #exact = { tokens: 0, rough: 0 };
  /** The estimate of text that arrived while another piece was counted. */
  #skippedRough = 0;

  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
    this.#sample = new TokenSample(tokenizer);
  }

  add(text: string): void {
    if (text === "") return;
    const estimate = estimatePartTokens(text);
    if (this.#texts.push(text) >= JOINED_TEXTS) this.#joinTexts();
    this.#pieceLength += text.length;
    this.#pieceRough += estimate;
    this.#characters += text.length;
    if (!this.#sample.wasTaken()) this.#leastTokens += Math.max(1, countWords(text));
    this.#rough += estimate;
    if (this.#pieceLength >= PIECE_CHARACTERS) this.#endPiece();
  }

  /** A generated image: its bytes are not text. */
  addImage(): void {
    this.#images++;
  }

  /** Refines the running estimate by the tokenizer's count of the newest text, without waiting for it. */
  refine(): void {
    if (!this.#sample.isDue(this.#rough)) return;
    this.#joinTexts();
    this.#sample.refine(this.#piece, this.#rough);
  }

  /** Whether the estimate rests on a count, not only on samples or the length of the text. */
  wasCounted(): boolean {
    return this.#sample.wasCounted();
  }

  /** Lets the tokenizer count the text, for an estimate that a response may end by; undefined if it hardly grew since. */
  recount(): Promise<void> | undefined {
    this.#joinTexts();
    return this.#sample.recount(this.#piece, this.#pieceRough, this.#rough);
  }

  /** Characters and images so far; unlike the estimate it never falls. */
  length(): number {
    return this.#characters + this.#images;
  }

  isEmpty(): boolean {
    return this.length() === 0;
  }

  /** A running estimate, for holds and for the price of a call whose relay dies. */
  estimateTokens(): number {
    return this.#sample.estimate(this.#rough, this.#leastTokens) + this.#images * IMAGE_TOKENS;
  }

  /** The tokenizer's count, extrapolated if only part of the text was counted. */
  async tokens(): Promise<number> {
    await this.#counting;
    if (this.#pieceLength > 0) await this.#count();
    const { tokens, rough } = this.#exact;
    const estimatedTokens = rough === 0 ? 1 : tokens / rough;
    return this.#images * IMAGE_TOKENS + tokens + Math.round(this.#skippedRough * estimatedTokens);
  }

  #joinTexts(): void {
    this.#piece += this.#texts.join("");
    this.#texts = [];
  }

  #takePiece(): { readonly text: string; readonly rough: number } {
    this.#joinTexts();
    const taken = { text: this.#piece, rough: this.#pieceRough };
    this.#piece = "";
    this.#pieceLength = 0;
    this.#pieceRough = 0;
    return taken;
  }

  async #count(): Promise<void> {
    const { text, rough } = this.#takePiece();
    const [tokens = 0] = await this.#tokenizer.count([text]);
    this.#exact.tokens += tokens;
    this.#exact.rough += rough;
  }

  #endPiece(): void {
    if (this.#counting) this.#skippedRough += this.#takePiece().rough;
    else this.#counting = this.#count().finally(() => (this.#counting = undefined));
  }
}

export const createGeneratedText = (tokenizer: Tokenizer): GeneratedText => new GeneratedText(tokenizer);

/** Adds the text of one stream event. */
export function countStep(part: StreamPart, produced: GeneratedText): void {
  if (part.type === "text-delta" || part.type === "reasoning-delta" || part.type === "other-output")
    produced.add(part.text);
  else if (part.type === "tool-call-start") produced.add(part.name);
  else if (part.type === "tool-call-delta") produced.add(part.argumentsText);
  else if (part.type === "media" && !part.isOfTool) produced.addImage();
}
