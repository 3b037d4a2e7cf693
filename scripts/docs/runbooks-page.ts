import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { page, table } from "./markdown.ts";

const FOLDER = join(import.meta.dirname, "../../deploy/runbooks");

/** The first paragraph of text. */
function readIntro(file: string): string {
  const [, ...blocks] = readFileSync(join(FOLDER, file), "utf8").split(/\n{2,}/);
  return (blocks.find((block) => !/^[#|<-]/.test(block)) ?? "").replaceAll("\n", " ");
}

/** The runbook of every alert. */
export function createRunbooksPage(): string {
  const rows = readdirSync(FOLDER)
    .filter((name) => name.endsWith(".md"))
    .toSorted()
    .map((name) => [`[${name.replace(/\.md$/, "")}](../../deploy/runbooks/${name})`, readIntro(name)]);
  return page(
    "Runbooks",
    "One page per alert of the chart: what it means, what to check, what to do.",
    table(["Alert", "What"], rows),
  );
}
