import { roughTokens } from "./estimate.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** Text kept for an exact count; beyond it, pieces are counted as the stream runs. */
const PIECE_CHARACTERS = 64 * 1024;

/** What a picture in an answer counts where upstream tells no tokens. */
const PICTURE_TOKENS = 258;

export type ProducedText = ReturnType<typeof createProducedText>;

/** What an answer has produced so far, counted as it goes and in bounded memory, for charges where upstream tells no usage. */
export function createProducedText(tokenizer: Tokenizer) {
  let piece: string[] = [];
  let pieceLength = 0;
  let rough = 0;
  let characters = 0;
  const counted: Promise<number>[] = [];

  const countPiece = (): void => {
    if (pieceLength === 0) return;
    counted.push(tokenizer.count([piece.join("")]).then(([tokens = 0]) => tokens));
    piece = [];
    pieceLength = 0;
  };
  return {
    add(text: string): void {
      if (text === "") return;
      piece.push(text);
      pieceLength += text.length;
      characters += text.length;
      rough += roughTokens(text);
      if (pieceLength >= PIECE_CHARACTERS) countPiece();
    },
    /** A picture that was made: its bytes are no text. */
    addPicture(): void {
      rough += PICTURE_TOKENS;
      characters++;
      counted.push(Promise.resolve(PICTURE_TOKENS));
    },
    isEmpty: (): boolean => characters === 0,
    /** A running guess, for holds. */
    roughTokens: (): number => rough,
    /** The tokenizer's count of everything. */
    async tokens(): Promise<number> {
      countPiece();
      return (await Promise.all(counted)).reduce((sum, tokens) => sum + tokens, 0);
    },
  };
}
