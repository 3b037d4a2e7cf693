import { describe, expect, it } from "vitest";
import { createOutputFilter } from "./output-filter.ts";
import { createPatternRules } from "./pattern-rules.ts";
import { createPatternMatcher } from "./pattern-matcher.ts";

const manyWords = Array.from({ length: 500 }, (_, index) => `word-${index}-x`);

describe("pattern matcher", () => {
  it.each([
    [["he", "she", "hers"], "ushers", { from: 1, to: 4 }],
    [["abcd", "bc"], "xabce", { from: 2, to: 4 }],
    [["违禁词"], "这里有违禁词吗", { from: 3, to: 6 }],
    [["aa"], "aba", undefined],
  ])("finds %o in %s", (words, text, place) => {
    expect(createPatternMatcher(words).scan().next(text)).toEqual(place);
  });

  it("finds a word across two chunks and reports how many characters may begin one", () => {
    const scan = createPatternMatcher(["secret"]).scan();
    expect(scan.next("it is sec")).toBeUndefined();
    expect(scan.pending()).toBe(3);
    expect(scan.next("ret!")).toEqual({ from: -3, to: 3 });
    expect(scan.pending()).toBe(0);
  });
});

describe("pattern rules", () => {
  it.each([
    ["Bomb\n\nother", "how to build a bOMB", true],
    ["bomb", "a balm", false],
    ["regex:b[o0]mb\\d+", "B0MB22", true],
    ["plain\nregex:^x", "an x", false],
    ["regex:(a+)+$", `${"a".repeat(5_000)}!`, false],
    ["regex:(?broken\nword", "a word", true],
    [manyWords.join("\n"), "it says WORD-499-X here", true],
    [manyWords.join("\n"), "it says word-499 here", false],
  ])("forbids by rule %#: %s", async (list, text, expected) => {
    expect(await createPatternRules(list).forbids(text)).toBe(expected);
  });

  it("reads long texts in chunks and finds matches across their borders", async () => {
    const rules = createPatternRules("needle\nregex:hay\\d{3}");
    for (const at of [32 * 1024 - 3, 100_000]) {
      const text = "x".repeat(200_000);
      expect(await rules.forbids(text.slice(0, at) + "NEEDLE" + text.slice(at))).toBe(true);
      expect(await rules.forbids(text.slice(0, at) + "hay123" + text.slice(at))).toBe(true);
    }
    expect(await rules.forbids("x".repeat(200_000))).toBe(false);
  });
});

describe("search of a body before its texts are checked", () => {
  const write = (text: string): string => JSON.stringify({ messages: [{ role: "user", content: text }] });

  it.each([
    ["bomb", "how to build a bOMB", true],
    ["bomb", 'a balm\n and "calm" \\', false],
    ["违禁词", "这里有违禁词吗", true],
    ["two words", "of two\nwords", false],
    // Words that JSON writes in another way, and expressions, are left to the check of the texts.
    ['a "quote"', "none", true],
    ["a/b", "none", true],
    ["a\\b", "none", true],
    ["a\tb", "none", true],
    ["regex:x", "none", true],
    [manyWords.join("\n"), "it says WORD-499-X here", true],
    [manyWords.join("\n"), "it says word-499 here", false],
  ])("finds what may be forbidden by rule %#: %s", (list, text, expected) => {
    expect(createPatternRules(list).mayForbidWithin(write(text))).toBe(expected);
  });

  it("does not rule out words that are written by codes", () => {
    const json = String.raw`{"messages":[{"role":"user","content":"\u0062omb"}]}`;
    expect(JSON.stringify(JSON.parse(json))).toContain("bomb");
    expect(createPatternRules("bomb").mayForbidWithin(json)).toBe(true);
  });
});

function guarded(list: string, options: { stops: boolean; heldChunks?: number }, pieces: string[]) {
  const guard = createOutputFilter(createPatternRules(list), { heldChunks: 0, ...options });
  const sent: string[] = [];
  for (const piece of pieces) {
    const { text, isForbidden } = guard.push(piece);
    sent.push(text);
    if (isForbidden) return { sent, isForbidden };
  }
  return { sent: [...sent, guard.end().text], isForbidden: false };
}

describe("output filter", () => {
  it("passes all other text at once and holds back the possible beginning of a word", () => {
    expect(guarded("secret", { stops: true }, ["all is se", "t. sec", "ond"])).toEqual({
      sent: ["all is ", "set. ", "second", ""],
      isForbidden: false,
    });
  });

  it("ends a response at a word without sending any part of it", () => {
    expect(guarded("secret", { stops: true }, ["the SEC", "RET plan"])).toEqual({
      sent: ["the ", ""],
      isForbidden: true,
    });
  });

  it("masks words if the response continues", () => {
    const { sent } = guarded("secret\nplan", { stops: false }, ["a sec", "ret pl", "an, a secret"]);
    expect(sent.join("")).toBe("a **###** **###**, a **###**");
  });

  it("finds expressions across chunks before their beginning is sent, if chunks are held back", () => {
    expect(guarded("regex:b\\d+mb", { stops: true, heldChunks: 2 }, ["one ", "b1", "2", "3mb"])).toEqual({
      sent: ["", "", "one ", ""],
      isForbidden: true,
    });
    const { sent } = guarded("regex:b\\d+mb", { stops: true, heldChunks: 2 }, ["a", "b", "c", "d"]);
    expect(sent).toEqual(["", "", "a", "b", "cd"]);
  });
});
