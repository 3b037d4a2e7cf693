import { describe, expect, it } from "vitest";
import { parseExactJson, readExactJson } from "./exact-json.ts";
import { asNumber, asObject } from "./json.ts";

const rewrite = (text: string): string => JSON.stringify(readExactJson(text));

describe("JSON that is parsed and written again", () => {
  it.each([
    '{"id":1234567890123456789}',
    '{"id":-1234567890123456789}',
    '{"ids":[9007199254740993,[12345678901234567890123]],"next":{"__proto__":18446744073709551615}}',
    "1234567890123456789",
    "[9007199254740993,1,9007199254740995]",
    '{"a\\"":9007199254740993,"b":"\\\\","c":9007199254740995}',
  ])("keeps all digits of integers beyond double precision: %s", (text) => {
    expect(rewrite(text)).toBe(text);
  });

  it("keeps them wherever they start in the text, and whatever space surrounds them", () => {
    for (let filler = 0; filler < 40; filler++)
      expect(rewrite(`{"${"x".repeat(filler)}" : \n 9007199254740993\t}`)).toBe(
        `{"${"x".repeat(filler)}":9007199254740993}`,
      );
  });

  it.each([
    '{"text":"id: 1234567890123456789, or [9007199254740993]"}',
    '{"text":"a\\" : 9007199254740993 }"}',
    '{"9007199254740993":1}',
    '{"at":1764345600000000}',
    '{"score":0.12345678901234567}',
    '{"score":1e21}',
  ])("leaves other values as they are: %s", (text) => {
    expect(readExactJson(text)).toEqual(JSON.parse(text));
  });

  it.each([
    '{"a":1, 9007199254740993 : 2}',
    '{"a":09007199254740993}',
    "[9007199254740993",
    '{"a": 9007199254740993 1}',
  ])("refuses text that is not JSON: %s", (text) => {
    expect(() => readExactJson(text)).toThrow(SyntaxError);
    expect(parseExactJson(text)).toBeUndefined();
  });

  it("parses values that are nested as deeply as JSON.parse allows", () => {
    const text = `${"[".repeat(200_000)}9007199254740993${"]".repeat(200_000)}`;
    let value = readExactJson(text);
    while (Array.isArray(value)) [value] = value as unknown[];
    expect(JSON.stringify(value)).toBe("9007199254740993");
  });

  it("gives the nearest number where a number is read, and is no object", () => {
    const { seed } = readExactJson('{"seed":9007199254740993}') as { seed: unknown };
    expect([asNumber(seed), asObject(seed)]).toEqual([9007199254740992, undefined]);
    expect([Number(seed), String(seed), `${seed as string}`]).toEqual([
      9007199254740992,
      ...Array(2).fill("9007199254740993"),
    ]);
  });
});
