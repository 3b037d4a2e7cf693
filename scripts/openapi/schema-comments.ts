import { readFileSync } from "node:fs";
import { parseSync, type Comment, type Node } from "oxc-parser";

/** The comments of one exported schema: its own, those of its fields, and the other schemas that its code names. */
export type SchemaComments = {
  readonly text: string;
  readonly fields: ReadonlyMap<string, string>;
  readonly uses: readonly string[];
};

/** A docstring as one paragraph of Markdown. */
const toText = (comment: string): string =>
  comment
    .replace(/^\*/, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\*? ?/, "").trim())
    .join(" ")
    .trim();

/** Calls `visit` with a node and with every node below it. */
export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const value of Object.values(node) as unknown[]) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
      if (typeof child === "object" && child !== null && "type" in child) walk(child as Node, visit);
  }
}

/** Reads the docstrings of the schemas that a file of the contract exports. */
export function readSchemaComments(file: string): Map<string, SchemaComments> {
  const source = readFileSync(file, "utf8");
  const { program, comments, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message ?? "not readable"}`);
  const docs = comments.filter(({ type, value }: Comment) => type === "Block" && value.startsWith("*"));
  /** The docstring that ends directly before a position. */
  const before = (position: number): string => {
    const doc = docs.findLast(({ end }) => end <= position && source.slice(end, position).trim() === "");
    return doc ? toText(doc.value) : "";
  };
  const found = new Map<string, SchemaComments>();
  for (const statement of program.body) {
    const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declared?.type !== "VariableDeclaration") continue;
    for (const { id, init } of declared.declarations) {
      if (id.type !== "Identifier" || !init) continue;
      const fields = new Map<string, string>();
      const uses: string[] = [];
      walk(init, (node) => {
        if (node.type === "Identifier") uses.push(node.name);
        if (node.type !== "Property" || node.key.type !== "Identifier") return;
        const text = before(node.start);
        if (text !== "" && !fields.has(node.key.name)) fields.set(node.key.name, text);
      });
      found.set(id.name, { text: before(statement.start), fields, uses });
    }
  }
  return found;
}
