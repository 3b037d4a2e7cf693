import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ROOT } from "./files.ts";
import { readSourceTexts } from "./source-texts.ts";
import { ALLOWED, TERMS } from "./terms.ts";

const GENERATED =
  /(?:^|\/)(?:node_modules|dist|generated|__fixtures__|\.vitepress\/(?:dist|cache))\/|^services\/api-client\/src\/schema\.ts$|^scripts\/docs\/terms\.ts$/;
const list = (...patterns: string[]): string[] =>
  globSync(patterns, { cwd: ROOT, exclude: (name) => name === "node_modules" || name === "dist" })
    .filter((file) => !GENERATED.test(file))
    .toSorted();

/** The terms of a text, each with its place; terms of allowed texts are left out. */
function findTerms(file: string, line: number, text: string): string[] {
  const allowed = Object.entries(ALLOWED).flatMap(([part, texts]) => (file.includes(part) ? texts : []));
  // Code in backticks has names of its own.
  const rest = allowed.reduce((left, each) => left.replaceAll(each, ""), text.replaceAll(/`[^`\n]*`/g, ""));
  return TERMS.flatMap(({ pattern, instead }) => {
    const [word] = pattern.exec(rest) ?? [];
    return word === undefined ? [] : [`${file}:${line}: "${word}" (${instead})`];
  });
}

describe("language guide", () => {
  it("holds for comments, texts, test titles and exported names", { timeout: 120_000 }, () => {
    const files = list("{services,scripts,tests,web}/**/*.{ts,tsx,mjs}");
    expect(files.length).toBeGreaterThan(2_000);
    const found = files.flatMap((file) =>
      readSourceTexts(file, ROOT).flatMap(({ line, text }) => findTerms(file, line, text)),
    );
    expect(found).toEqual([]);
  });

  it("holds for documents", () => {
    const pages = list("*.md", "{docs,services,scripts,tests,web,deploy,proto}/**/*.md").filter(
      (page) => !/^docs\/(?:zh\/|style\.md)/.test(page),
    );
    const found = pages.flatMap((page) =>
      readFileSync(`${ROOT}/${page}`, "utf8")
        .split("\n")
        .flatMap((text, index) => findTerms(page, index + 1, text.replaceAll(/<[^>]*>/g, ""))),
    );
    expect(found).toEqual([]);
  });

  it("holds for the English texts of the console", () => {
    const found = list("web/src/locales/en/*.json").flatMap((file) =>
      Object.values(JSON.parse(readFileSync(`${ROOT}/${file}`, "utf8")) as Record<string, string>).flatMap((text) =>
        findTerms(file, 1, text).map((problem) => `${problem}: ${text}`),
      ),
    );
    expect(found).toEqual([]);
  });
});
