import { readFileSync } from "node:fs";
import { type Node, parseSync } from "oxc-parser";
import { walk } from "../openapi/schema-comments.ts";

/** A text of a source file that readers see: a comment, a string with several words, a test title, an exported name. */
export type SourceText = { readonly line: number; readonly text: string };
type FoundText = { readonly at: number; readonly text: string };

const isTest = (file: string): boolean => /\.test\.tsx?$|^tests\//.test(file);

/** The words of a name: "toQuotaAmount" and "QUOTA_AMOUNT" both have "quota amount". */
const splitName = (name: string): string => name.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll("_", " ");

/** The function of a call, without `.each(…)` and other modifiers: "it" of `it.each(rows)("…")`. */
function getCallee(node: Node): string {
  if (node.type === "Identifier") return node.name;
  if (node.type === "MemberExpression") return getCallee(node.object);
  return node.type === "CallExpression" ? getCallee(node.callee) : "";
}

/** The texts of literals and templates below a node. */
function readStrings(node: Node): FoundText[] {
  const found: FoundText[] = [];
  walk(node, (each) => {
    if (each.type === "Literal" && typeof each.value === "string") found.push({ at: each.start, text: each.value });
    if (each.type === "TemplateElement") found.push({ at: each.start, text: each.value.cooked ?? "" });
    if (each.type === "JSXText") found.push({ at: each.start, text: each.value });
  });
  return found;
}

const TITLED = new Set(["it", "test", "describe"]);

function readTitles(program: Node): FoundText[] {
  const titles: Node[] = [];
  walk(program, (node) => {
    if (node.type !== "CallExpression" || !TITLED.has(getCallee(node.callee))) return;
    const [title] = node.arguments;
    if (title?.type === "Literal" || title?.type === "TemplateLiteral") titles.push(title);
  });
  return titles.flatMap(readStrings);
}

/** The names that a file exports, and those of the members of its exported types. */
function readExportedNames(program: Node): FoundText[] {
  const found: FoundText[] = [];
  const add = (node: Node | null | undefined): void => {
    if (node?.type === "Identifier") found.push({ at: node.start, text: splitName(node.name) });
  };
  walk(program, (node) => {
    if (node.type !== "ExportNamedDeclaration" || !node.declaration) return;
    const { declaration } = node;
    if (declaration.type === "VariableDeclaration") for (const { id } of declaration.declarations) add(id);
    else if ("id" in declaration) add(declaration.id);
    walk(declaration, (member) => {
      if (member.type === "TSPropertySignature" || member.type === "TSMethodSignature") add(member.key);
      if (member.type === "MethodDefinition" || member.type === "PropertyDefinition") add(member.key);
    });
  });
  return found;
}

/** The texts of a TypeScript file; of a test's strings the titles alone, since others are data. Throws for a file that has no valid syntax. */
export function readSourceTexts(file: string, root: string): SourceText[] {
  const source = readFileSync(`${root}/${file}`, "utf8");
  const { program, comments, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message ?? "not readable"}`);
  const strings = isTest(file) ? readTitles(program) : readStrings(program);
  const texts = [
    ...comments.map(({ start, value }) => ({ at: start, text: value })),
    ...strings.filter(({ text }) => /\S\s+\S/.test(text)),
    ...readExportedNames(program),
  ];
  const getLine = (at: number): number => source.slice(0, at).split("\n").length;
  return texts.map(({ at, text }) => ({ line: getLine(at), text }));
}
