import type { StreamPart } from "../../core/chat/chat.ts";
import { roughTokens } from "./token-estimate.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** Text kept until it is counted. */
const PIECE_CHARACTERS = 64 * 1024;

/** What a picture in an answer counts where upstream tells no tokens. */
const PICTURE_TOKENS = 258;

export type GeneratedText = ReturnType<typeof createGeneratedText>;

/**
 * What an answer has produced so far, counted as it goes and in bounded memory, for charges where upstream tells no usage. One piece
 * of an answer is with the tokenizer at a time; what comes faster than it counts is guessed by the pieces that it did count.
 */
export function createGeneratedText(tokenizer: Tokenizer) {
  let piece: string[] = [];
  let pieceLength = 0;
  let pieceRough = 0;
  let rough = 0;
  let characters = 0;
  let pictureTokens = 0;
  let counting: Promise<void> | undefined;
  const exact = { tokens: 0, rough: 0 };
  let skippedRough = 0;

  const takePiece = () => {
    const taken = { text: piece.join(""), roughTokens: pieceRough };
    piece = [];
    pieceLength = 0;
    pieceRough = 0;
    return taken;
  };
  const count = async (): Promise<void> => {
    const { text, roughTokens: guess } = takePiece();
    const [tokens = 0] = await tokenizer.count([text]);
    exact.tokens += tokens;
    exact.rough += guess;
  };
  const endPiece = (): void => {
    if (counting) skippedRough += takePiece().roughTokens;
    else counting = count().finally(() => (counting = undefined));
  };
  return {
    add(text: string): void {
      if (text === "") return;
      const guess = roughTokens(text);
      piece.push(text);
      pieceLength += text.length;
      pieceRough += guess;
      characters += text.length;
      rough += guess;
      if (pieceLength >= PIECE_CHARACTERS) endPiece();
    },
    /** A picture that was made: its bytes are no text. */
    addPicture(): void {
      rough += PICTURE_TOKENS;
      characters++;
      pictureTokens += PICTURE_TOKENS;
    },
    isEmpty: (): boolean => characters === 0,
    /** A running guess, for holds. */
    roughTokens: (): number => rough,
    /** The tokenizer's count of everything, or of so much of it that the rest can be told by it. */
    async tokens(): Promise<number> {
      await counting;
      if (pieceLength > 0) await count();
      const tokensOfGuess = exact.rough === 0 ? 1 : exact.tokens / exact.rough;
      return pictureTokens + exact.tokens + Math.round(skippedRough * tokensOfGuess);
    },
  };
}

/** Adds what one step of a stream brought. */
export function countStep(part: StreamPart, produced: GeneratedText): void {
  if (part.type === "text-delta" || part.type === "reasoning-delta") produced.add(part.text);
  else if (part.type === "tool-call-start") produced.add(part.name);
  else if (part.type === "tool-call-delta") produced.add(part.argumentsText);
  else if (part.type === "media") produced.addPicture();
}
