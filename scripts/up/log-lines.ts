import { z } from "zod";

const COLOURS = [36, 33, 32, 35, 34, 31] as const;
const LEVELS: Readonly<Record<number, string>> = {
  10: "trace",
  20: "debug",
  30: "info",
  40: "warn",
  50: "error",
  60: "fatal",
};
const QUIET_FIELDS = new Set(["level", "time", "pid", "hostname", "name", "msg"]);
const LogLine = z.looseObject({ level: z.number(), time: z.number(), msg: z.string().optional() });

function parse(line: string): z.output<typeof LogLine> | undefined {
  try {
    return LogLine.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** A service's JSON log line in readable form; other lines stay unchanged. */
export function readableLine(line: string): string {
  const entry = line.startsWith("{") ? parse(line) : undefined;
  if (!entry) return line;
  const rest = Object.fromEntries(Object.entries(entry).filter(([field]) => !QUIET_FIELDS.has(field)));
  const time = new Date(entry.time).toISOString().slice(11, 23);
  const fields = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : "";
  return `${time} ${(LEVELS[entry.level] ?? String(entry.level)).padEnd(5)} ${entry.msg ?? ""}${fields}`;
}

/**
 * Prints the lines of many processes, each prefixed with its process name: readable and coloured on a terminal, plain
 * JSON after the name otherwise, so that programs can parse it.
 */
export function createPrinter(write: (text: string) => void, isTerminal: boolean) {
  const colours = new Map<string, number>();
  return (name: string, line: string): void => {
    const label = `${name.padEnd(9)} |`;
    if (!isTerminal) return write(`${label} ${line}\n`);
    const colour = colours.get(name) ?? COLOURS[colours.size % COLOURS.length] ?? 36;
    colours.set(name, colour);
    write(`\u001B[${colour}m${label}\u001B[0m ${readableLine(line)}\n`);
  };
}
