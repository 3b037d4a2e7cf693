import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** The console's texts: Chinese source sentences with their English texts. */
const texts = Object.assign(
  {},
  ...globSync(join(ROOT, "web/src/locales/en/*.json")).map((path) => JSON.parse(readFileSync(path, "utf8")) as object),
) as Readonly<Record<string, string>>;
const english = new Set(Object.values(texts));
const chinese = new Set(Object.keys(texts));

/** Names of menu entries and buttons on a page are bold, and "→" leads from one to the next. */
const listNames = (page: string): string[] =>
  [...page.matchAll(/\*\*([^*\n]+)\*\*/g)].flatMap(([, name = ""]) => name.split("→").map((part) => part.trim()));

const pages = globSync(["docs/quick-start.md", "docs/{admin,api,clients,operations,zh}/**/*.md"], {
  cwd: ROOT,
}).toSorted();

describe.each(pages)("%s", (page) => {
  it("names entries of the console as the console does", () => {
    const shown = page.startsWith("docs/zh/") ? chinese : english;
    expect(listNames(readFileSync(join(ROOT, page), "utf8")).filter((name) => !shown.has(name))).toEqual([]);
  });
});

it.each([
  ["docs/quick-start.md", english],
  ["docs/zh/quick-start.md", chinese],
])("%s leads through the steps that the console opens after the set-up", (page, shown) => {
  const steps = readFileSync(join(ROOT, "web/src/features/start/start-page.tsx"), "utf8");
  const [, list = ""] = /const STEPS = \[([^\]]+)\]/.exec(steps) ?? [];
  const sources = [...list.matchAll(/text\("([^"]+)"\)/g)].map(([, source = ""]) => source);
  expect(sources).toHaveLength(3);
  const titles = sources.map((source) => (shown === chinese ? source : texts[source]));
  const text = readFileSync(join(ROOT, page), "utf8");
  expect(titles.filter((title) => !text.includes(`**${title}**`))).toEqual([]);
  expect(text).toContain("/admin/start");
});
