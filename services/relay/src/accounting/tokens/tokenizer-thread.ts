import { parentPort } from "node:worker_threads";
import { createO200kCounter } from "./o200k.ts";

const countTokens = createO200kCounter();
/** Text is counted in chunks to limit the memory of the intermediate pieces. */
const PIECE_LENGTH = 20_000;

function count(text: string): number {
  let tokens = 0;
  for (let from = 0; from < text.length; from += PIECE_LENGTH)
    tokens += countTokens(text.slice(from, from + PIECE_LENGTH));
  return tokens;
}

parentPort?.on("message", ({ id, texts }: { id: number; texts: string[] }) => {
  parentPort?.postMessage({ id, counts: texts.map(count) });
});
