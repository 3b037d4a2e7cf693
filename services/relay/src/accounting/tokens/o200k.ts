import { readFileSync } from "node:fs";
import { O200K_TOKEN_SPLIT_REGEX } from "gpt-tokenizer/encodingParams/constants";
import { countTokens, readRankTable } from "./bpe-encoder.ts";

/** Maximum UTF-8 bytes per UTF-16 code unit. */
const UNIT_BYTES_MAX = 3;

/**
 * Counts tokens like OpenAI's o200k, with the library's data and splitting rules. Special tokens such as
 * `<|endoftext|>` are plain text, since callers' texts may contain them.
 */
export function createO200kCounter(): (text: string) => number {
  const table = readRankTable(readFileSync(new URL(import.meta.resolve("gpt-tokenizer/data/o200k_base.tiktoken"))));
  const encoder = new TextEncoder();
  let bytes = new Uint8Array(256);

  const countPiece = (piece: string): number => {
    const most = piece.length * UNIT_BYTES_MAX;
    if (most > bytes.length) bytes = new Uint8Array(2 * most);
    return countTokens(table, bytes, encoder.encodeInto(piece, bytes).written);
  };
  return (text) => (text.match(O200K_TOKEN_SPLIT_REGEX) ?? []).reduce((tokens, piece) => tokens + countPiece(piece), 0);
}
