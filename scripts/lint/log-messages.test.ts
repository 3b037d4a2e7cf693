import { globSync, readFileSync } from "node:fs";
import { type Node, parseSync } from "oxc-parser";
import { expect, it } from "vitest";
import { ROOT } from "../docs/files.ts";
import { walk } from "../openapi/schema-comments.ts";

const LEVELS = new Set(["trace", "debug", "info", "warn", "error", "fatal"]);

/** Whether a node is a logger: `log`, `logger`, `deps.log`. */
function isLogger(node: Node): boolean {
  if (node.type === "Identifier") return /^log(?:ger)?$/.test(node.name);
  return node.type === "MemberExpression" && isLogger(node.property);
}

/** The positions of log calls whose message has values in it. */
function findBuiltMessages(program: Node): { calls: number; built: number[] } {
  const built: number[] = [];
  let calls = 0;
  walk(program, (node) => {
    if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return;
    const { object, property } = node.callee;
    if (!isLogger(object) || property.type !== "Identifier" || !LEVELS.has(property.name)) return;
    calls++;
    const isBuilt = node.arguments.some(
      (given) =>
        (given.type === "TemplateLiteral" && given.expressions.length > 0) || given.type === "BinaryExpression",
    );
    if (isBuilt) built.push(node.start);
  });
  return { calls, built };
}

it("logs messages without values in them, so that each can be searched for", () => {
  const files = globSync("services/*/src/**/*.ts", { cwd: ROOT }).filter((file) => !file.endsWith(".test.ts"));
  const found = files.map((file) => {
    const source = readFileSync(`${ROOT}/${file}`, "utf8");
    const { calls, built } = findBuiltMessages(parseSync(file, source).program);
    return { calls, places: built.map((at) => `${file}:${source.slice(0, at).split("\n").length}`) };
  });
  expect(found.reduce((sum, { calls }) => sum + calls, 0)).toBeGreaterThan(100);
  expect(found.flatMap(({ places }) => places)).toEqual([]);
});
