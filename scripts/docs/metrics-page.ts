import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type Node, parseSync } from "oxc-parser";
import { walk } from "../openapi/schema-comments.ts";
import { code, page, table } from "./markdown.ts";

const ROOT = join(import.meta.dirname, "../..");

/** A metric as the code declares it. */
export type Metric = {
  readonly name: string;
  readonly help: string;
  readonly labels: string;
  readonly service: string;
};

/** The parts of an object in the code: its own texts, those of objects that it spreads, and its list of labels. */
type Parts = { name?: string; help?: string; labels?: string };

const PREFIXES: Readonly<Record<string, string>> = { prefix: "turnpike_gateway" };

function readText(node: Node): string | undefined {
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type !== "TemplateLiteral") return undefined;
  return node.quasis
    .map(({ value }, index) => {
      const expression = node.expressions[index];
      const name = expression?.type === "Identifier" ? expression.name : "";
      return (value.cooked ?? "") + (expression === undefined ? "" : (PREFIXES[name] ?? `{${name}}`));
    })
    .join("");
}

/** The texts of a list, and of lists that it spreads. */
function readLabels(elements: readonly (Node | null)[], constants: ReadonlyMap<string, Node>): string[] {
  return elements.flatMap((element): string[] => {
    if (element?.type !== "SpreadElement") return element ? [readText(element) ?? ""] : [];
    const spread = element.argument.type === "Identifier" ? constants.get(element.argument.name) : undefined;
    const list = spread?.type === "TSAsExpression" ? spread.expression : spread;
    return list?.type === "ArrayExpression" ? readLabels(list.elements, constants) : [];
  });
}

function readParts(node: Node, constants: ReadonlyMap<string, Node>): Parts {
  const parts: Parts = {};
  if (node.type !== "ObjectExpression") return parts;
  for (const property of node.properties) {
    if (property.type === "SpreadElement") {
      const spread = property.argument.type === "Identifier" ? constants.get(property.argument.name) : undefined;
      if (spread) Object.assign(parts, readParts(spread, constants));
    } else if (property.key.type === "Identifier") {
      const { name } = property.key;
      const text = readText(property.value);
      if ((name === "name" || name === "help") && text !== undefined) parts[name] = text;
      if (name === "labelNames" && property.value.type === "ArrayExpression")
        parts.labels = readLabels(property.value.elements, constants).map(code).join(", ");
    }
  }
  return parts;
}

function readFile(file: string): Metric[] {
  const { program } = parseSync(file, readFileSync(file, "utf8"));
  const constants = new Map<string, Node>();
  walk(program, (node) => {
    if (node.type === "VariableDeclarator" && node.id.type === "Identifier" && node.init)
      constants.set(node.id.name, node.init);
  });
  const [, service = ""] = relative(ROOT, file).split("/");
  const found = new Map<string, Metric>();
  walk(program, (node) => {
    const parts = readParts(node, constants);
    if (!/^(?:turnpike|gen_ai)_/.test(parts.name ?? "")) return;
    const { name = "", help = "", labels = "" } = parts;
    found.set(name, { name, help, labels, service });
  });
  return [...found.values()];
}

/** Every metric that a service declares. */
export const listMetrics = (): Metric[] =>
  globSync("services/*/src/**/*.ts", { cwd: ROOT })
    .filter((file) => !file.endsWith(".test.ts"))
    .toSorted()
    .flatMap((file) => readFile(join(ROOT, file)));

/** The metrics by service. */
export function createMetricsPage(): string {
  const metrics = listMetrics();
  const services = [...new Set(metrics.map(({ service }) => service))];
  return page(
    "Metrics",
    "Each service exposes these at `/metrics` on its `OPS_PORT`, in addition to those of the Node process (`nodejs_*`, `process_*`). Labels are bounded: never users, tokens or texts of callers. The chart contains Grafana dashboards and Prometheus rules that use them.",
    ...services.map((service) =>
      [
        `## ${service === "shared" ? "Every service" : service}`,
        table(
          ["Metric", "What", "Labels"],
          metrics
            .filter((metric) => metric.service === service)
            .map(({ name, help, labels }) => [code(name), help, labels]),
        ),
      ].join("\n\n"),
    ),
  );
}
