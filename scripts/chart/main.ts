import { globSync } from "node:fs";
import { join } from "node:path";
import { checkEnvironment, checkSettings } from "./check-environment.ts";
import { checkAddresses, checkRefusals } from "./check-refusals.ts";
import { checkSecurity } from "./check-security.ts";
import { checkShapes } from "./check-shapes.ts";
import { checkValues } from "./check-values.ts";
import { CHART, runHelm } from "./helm.ts";

/**
 * Lints and renders the chart for each shape in its ci folder. Checks each shape's guarantees, that pods comply with
 * PodSecurity "restricted", that the services read the environment names, that every value has an effect, that
 * invalid values are refused with advice, and that every documented form of address is accepted.
 */
const shapes = globSync(join(CHART, "ci/*-values.yaml")).toSorted();
const problems: string[] = [];
for (const shape of shapes) {
  runHelm("lint", CHART, "--strict", "--values", shape);
  problems.push(...checkSecurity(shape), ...checkEnvironment(shape));
  console.log(`${shape.slice(CHART.length + 1)}: rendered`);
}
problems.push(...checkSettings(shapes), ...checkShapes(), ...checkRefusals(), ...checkAddresses(), ...checkValues());
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? "the chart is right" : `${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
