import { describe, expect, it } from "vitest";
import { MODEL_API_PATTERNS, MODEL_API_PREFIXES, toPrefixPattern, UNIMPLEMENTED_PATTERNS } from "./model-api-paths.ts";

describe("model API paths", () => {
  it.each(
    [...Object.values(MODEL_API_PATTERNS), ...UNIMPLEMENTED_PATTERNS].flatMap(({ pattern, examples }) =>
      examples.map((example) => [example, pattern] as const),
    ),
  )("matches its pattern: %s", (example, pattern) => expect(example).toMatch(pattern));

  it("has prefixes that need no escaping in a pattern", () => {
    for (const { prefix } of MODEL_API_PREFIXES) expect(prefix).toMatch(/^(\/[a-z0-9-]+)+$/);
  });

  it("ends a prefix at a slash, a query or the end", () => {
    const pattern = toPrefixPattern(["/v1"]);
    expect(["/v1", "/v1/models", "/v1?key=k", "/v1x", "/a/v1"].map((url) => pattern.test(url))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
