import { readFileSync } from "node:fs";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { createO200kCounter } from "./o200k.ts";

const count = createO200kCounter();
const counted = (text: string): number => encode(text, { disallowedSpecial: new Set() }).length;

/** Deterministic random numbers. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
}

const ALPHABETS = [
  "abcdefghijklmnopqrstuvwxyz",
  "ABCabc 123,.\n\t'\"",
  "日本語の文章を書いています，你好世界",
  "Grüße Straße ça naïve Ωμέγα привет мир",
  "👩‍👩‍👧‍👦🇩🇪🏳️‍🌈❤️ 🙂",
  "مرحبا بالعالم שלום עולם नमस्ते",
  "(){}[];=>&&||!== \n",
  "\u0000\u0001\uFFFD\u{1F9FF}\u200D\u00A0",
].map((letters) => Array.from(letters));

describe("o200k", () => {
  it.each([
    ["nothing", ""],
    ["a word", "hello"],
    ["a sentence", "Say hello to the nice people of the turnpike, don't you?"],
    ["spaces and lines", "  a\r\n\r\n\tb   \n   "],
    ["special tokens of the format", "<|endoftext|> and <|im_start|>user<|im_end|><|fim_prefix|>"],
    ["what only looks like them", "<|nonsense|> <|endoftext"],
    ["half a character", "a\uD83D b\uDE00"],
    ["a run of one letter", "a".repeat(5_000)],
    ["a run of digits", "1234567890".repeat(300)],
    ["a run without spaces", "Donaudampfschifffahrtsgesellschaft".repeat(100)],
    ["base64", readFileSync(new URL(import.meta.url)).toString("base64")],
    ["code", readFileSync(new URL("bpe-encoder.ts", import.meta.url), "utf8")],
    ["prose", readFileSync(new URL("../../../README.md", import.meta.url), "utf8")],
  ])("counts %s like the library", (_, text) => {
    expect(count(text)).toBe(counted(text));
  });

  it("counts a thousand random texts of many scripts like the library", () => {
    const next = numbers(7);
    for (let made = 0; made < 1_000; made++) {
      const letters = ALPHABETS[next(ALPHABETS.length)] ?? [];
      const text = Array.from({ length: 1 + next(120) }, () => letters[next(letters.length)]).join("");
      expect({ text, tokens: count(text) }).toEqual({ text, tokens: counted(text) });
    }
  });
});
