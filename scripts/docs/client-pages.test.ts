import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LIBRARY_SNIPPETS } from "../../services/contract/src/clients/library-snippets.ts";
import { SNIPPETS } from "../../services/contract/src/clients/snippets.ts";

const DOCS = join(import.meta.dirname, "../../docs/clients");
/** What the pages show in place of a caller's values. */
const FACTS = { address: "http://localhost:3001", key: "sk-...", model: "claude-sonnet-4-5" };
const ON_THE_INDEX = new Set(LIBRARY_SNIPPETS.first.map(({ id }) => id));

it.each(SNIPPETS)("is the same on the page of $id as in the console", ({ id, blocks }) => {
  const page = readFileSync(join(DOCS, `${ON_THE_INDEX.has(id) ? "index" : id}.md`), "utf8");
  for (const { path, language, code } of blocks(FACTS)) {
    expect(page).toContain(`\`\`\`${language}\n${code}\n\`\`\``);
    expect(page).toContain(path ?? "");
  }
});

it("has a page for every client but those on the index, and every page is linked there", () => {
  const pages = readdirSync(DOCS).filter((name) => name !== "index.md");
  const clients = SNIPPETS.filter(({ id }) => !ON_THE_INDEX.has(id)).map(({ id }) => `${id}.md`);
  expect(pages.toSorted()).toEqual(clients.toSorted());
  const index = readFileSync(join(DOCS, "index.md"), "utf8");
  for (const page of pages) expect(index).toContain(`](${page})`);
});

it("contains the key and the address of the caller, and no other key", () => {
  for (const { blocks } of SNIPPETS) {
    const text = blocks({ address: "https://api.example", key: "sk-mine", model: "m" })
      .map(({ code }) => code)
      .join("\n");
    expect(text).toContain("https://api.example");
    expect(text.match(/sk-[\w.]+/g)).toEqual(["sk-mine"]);
  }
});
