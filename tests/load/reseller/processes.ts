import { readFileSync } from "node:fs";
import type { World } from "../../lib/world.ts";
import { memoryMb } from "../measure.ts";

/** Clock ticks per second, the unit of process times on Linux. */
const TICKS = 100;

/** CPU seconds that a process has used, all its threads together. */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

export type Spent = { readonly name: string; readonly cpuSeconds: number; readonly memoryMb: number };

/** What every process of a world has used so far. */
export function lookAtProcesses(world: World): Spent[] {
  const services = world.specs.map(({ name }) => [name, world.pid(name)] as const);
  const backing = (["redis", "nats", "mongodb"] as const).map((name) => [name, world.backingPid(name)] as const);
  return [...services, ...backing].flatMap(([name, pid]) =>
    pid === undefined ? [] : [{ name, cpuSeconds: cpuSeconds(pid), memoryMb: memoryMb(pid) }],
  );
}
