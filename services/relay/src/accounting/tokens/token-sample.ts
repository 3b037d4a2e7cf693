import { estimatePartTokens } from "./token-estimate.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** The first sample is taken at this many estimated tokens, the next ones each time the text has grown by this factor. */
const FIRST_AT_TOKENS = 8;
const GROWTH = 2;
const SAMPLE_CHARACTERS = 1_000;
/** A text that has grown by less than this since it was counted need not be counted again. */
const RECOUNT_GROWTH = 1.05;

/** How far the quick estimate of a growing text is off, by the tokenizer's count of samples. */
export class TokenSample {
  readonly #tokenizer: Tokenizer;
  #nextAtTokens = FIRST_AT_TOKENS;
  /** Of all samples: the tokenizer's count, and the quick estimate. */
  #tokens = 0;
  #rough = 0;
  /** The quick estimate of the text that `recount` counted last. */
  #countedRough = 0;

  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
  }

  /** Whether a text with this estimate has grown enough for the next sample. */
  isDue(roughTokens: number): boolean {
    return roughTokens >= this.#nextAtTokens;
  }

  /** Counts the newest text where a sample is due, without waiting; `roughTokens` is the estimate of the whole text. */
  refine(newest: string, roughTokens: number): void {
    if (!this.isDue(roughTokens)) return;
    this.#nextAtTokens = roughTokens * GROWTH;
    const text = newest.slice(-SAMPLE_CHARACTERS);
    this.#tokenizer.sample(text, (tokens) => {
      this.#tokens += tokens;
      this.#rough += estimatePartTokens(text);
    });
  }

  wasCounted(): boolean {
    return this.#countedRough > 0;
  }

  /**
   * Replaces the samples by a count of the newest text, of which `newestRough` is the quick estimate; undefined if the text has
   * hardly grown since.
   */
  recount(newest: string, newestRough: number, roughTokens: number): Promise<void> | undefined {
    if (roughTokens <= this.#countedRough * RECOUNT_GROWTH) return undefined;
    this.#countedRough = roughTokens;
    return this.#tokenizer.count([newest]).then(([tokens = 0]) => {
      this.#tokens = tokens;
      this.#rough = newestRough;
    });
  }

  /**
   * The tokens of a text with that quick estimate. Before the first sample was counted it is only rounded up, and at least
   * `leastTokens`.
   */
  estimate(roughTokens: number, leastTokens: number): number {
    return Math.ceil(this.wasTaken() ? (roughTokens * this.#tokens) / this.#rough : Math.max(roughTokens, leastTokens));
  }

  /** Whether a sample was counted. */
  wasTaken(): boolean {
    return this.#rough > 0;
  }
}
