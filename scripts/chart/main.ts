import { globSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { checkEnvironment, checkSettings } from "./check-environment.ts";
import { checkAddresses, checkRefusals } from "./check-refusals.ts";
import { checkSecurity } from "./check-security.ts";
import { checkShapes } from "./check-shapes.ts";
import { checkValues } from "./check-values.ts";
import { CHART, runHelm } from "./helm.ts";

/**
 * Lints and renders the chart for each shape in its ci folder and in examples/deployment. Checks each shape's guarantees, that pods comply with
 * PodSecurity "restricted", that the services read the environment names, that every value has an effect, that
 * invalid values are refused with advice, and that every documented form of address is accepted.
 */
const EXAMPLES = join(import.meta.dirname, "../../examples/deployment");
const shapes = globSync([join(CHART, "ci/*-values.yaml"), join(EXAMPLES, "*.yaml")]).toSorted();
const problems: string[] = [];
for (const shape of shapes) {
  runHelm("lint", CHART, "--strict", "--values", shape);
  problems.push(...checkSecurity(shape), ...checkEnvironment(shape));
  console.log(`${basename(dirname(shape))}/${basename(shape)}: rendered`);
}
problems.push(...checkSettings(shapes), ...checkShapes(), ...checkRefusals(), ...checkAddresses(), ...checkValues());
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? "the chart is right" : `${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
