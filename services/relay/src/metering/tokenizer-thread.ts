import { parentPort } from "node:worker_threads";
import { encode } from "gpt-tokenizer/encoding/o200k_base";

/** Text is encoded in pieces: the time for one huge run of letters grows faster than its length. */
const PIECE_LENGTH = 20_000;

function count(text: string): number {
  let tokens = 0;
  for (let from = 0; from < text.length; from += PIECE_LENGTH) {
    tokens += encode(text.slice(from, from + PIECE_LENGTH), { allowedSpecial: "all" }).length;
  }
  return tokens;
}

parentPort?.on("message", ({ id, texts }: { id: number; texts: string[] }) => {
  parentPort?.postMessage({ id, counts: texts.map(count) });
});
