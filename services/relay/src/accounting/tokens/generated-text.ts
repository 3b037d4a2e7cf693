import type { StreamPart } from "../../core/chat/chat.ts";
import { estimateTokens } from "./token-estimate.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** Text buffered until it is counted. */
const PIECE_CHARACTERS = 64 * 1024;

/** Tokens of a generated image if upstream reports none. */
const PICTURE_TOKENS = 258;

export type GeneratedText = ReturnType<typeof createGeneratedText>;

/**
 * Counts the text generated so far in bounded memory, for charges where upstream reports no usage. One chunk at a time
 * is sent to the tokenizer; text that arrives faster than it is counted is extrapolated from the counted chunks.
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
    const taken = { text: piece.join(""), estimateTokens: pieceRough };
    piece = [];
    pieceLength = 0;
    pieceRough = 0;
    return taken;
  };
  const count = async (): Promise<void> => {
    const { text, estimateTokens: guess } = takePiece();
    const [tokens = 0] = await tokenizer.count([text]);
    exact.tokens += tokens;
    exact.rough += guess;
  };
  const endPiece = (): void => {
    if (counting) skippedRough += takePiece().estimateTokens;
    else counting = count().finally(() => (counting = undefined));
  };
  return {
    add(text: string): void {
      if (text === "") return;
      const guess = estimateTokens(text);
      piece.push(text);
      pieceLength += text.length;
      pieceRough += guess;
      characters += text.length;
      rough += guess;
      if (pieceLength >= PIECE_CHARACTERS) endPiece();
    },
    /** A generated image: its bytes are not text. */
    addImage(): void {
      rough += PICTURE_TOKENS;
      characters++;
      pictureTokens += PICTURE_TOKENS;
    },
    isEmpty: (): boolean => characters === 0,
    /** A running estimate, for holds. */
    estimateTokens: (): number => rough,
    /** The tokenizer's count, extrapolated if only part of the text was counted. */
    async tokens(): Promise<number> {
      await counting;
      if (pieceLength > 0) await count();
      const tokensOfGuess = exact.rough === 0 ? 1 : exact.tokens / exact.rough;
      return pictureTokens + exact.tokens + Math.round(skippedRough * tokensOfGuess);
    },
  };
}

/** Adds the text of one stream event. */
export function countStep(part: StreamPart, produced: GeneratedText): void {
  if (part.type === "text-delta" || part.type === "reasoning-delta") produced.add(part.text);
  else if (part.type === "tool-call-start") produced.add(part.name);
  else if (part.type === "tool-call-delta") produced.add(part.argumentsText);
  else if (part.type === "media") produced.addImage();
}
