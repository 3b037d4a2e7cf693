import { z } from "zod";

const COLOURS = [36, 33, 32, 35, 34] as const;
const RESET = "\u001B[0m";
const DIM = "\u001B[2m";
const LEVELS: Readonly<Record<number, string>> = {
  10: "trace",
  20: "debug",
  30: "info",
  40: "warn",
  50: "error",
  60: "fatal",
};
const LEVEL_COLOURS: Readonly<Record<number, string>> = { 40: "\u001B[33m", 50: "\u001B[31m", 60: "\u001B[31m" };
const INFO = 30;
const WARN = 40;
const VALUE_MAX_CHARS = 200;
const QUIET_FIELDS = new Set(["level", "time", "pid", "hostname", "name", "msg"]);
const LogLine = z.looseObject({ level: z.number(), time: z.number(), msg: z.string().optional() });
type LogLine = z.output<typeof LogLine>;

/** pretty for a terminal; json: one object per line, as the services write it. */
export type LogFormat = "pretty" | "json";

function parse(line: string): LogLine | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return LogLine.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** A field's value without line breaks: an error as its message, a text without quotes where none are needed. */
function toText(value: unknown): string {
  const isError = typeof value === "object" && value !== null && "message" in value;
  const plain = isError ? String(value.message) : value;
  const text = typeof plain === "string" && /^[^\s"=]+$/.test(plain) ? plain : JSON.stringify(plain);
  return text.length > VALUE_MAX_CHARS ? `${text.slice(0, VALUE_MAX_CHARS)}…` : text;
}

/** One line for a terminal: local time, process, level, message, fields as name=value. */
function toPretty(name: string, entry: LogLine, paint: (text: string, code: string) => string, colour: number): string {
  const time = new Date(entry.time).toTimeString().slice(0, 8);
  const level = (LEVELS[entry.level] ?? String(entry.level)).padEnd(5);
  const fields = Object.entries(entry)
    .filter(([field]) => !QUIET_FIELDS.has(field))
    .map(([field, value]) => `${field}=${toText(value)}`);
  const parts = [
    paint(time, DIM),
    paint(name.padEnd(9), `\u001B[${colour}m`),
    paint(level, LEVEL_COLOURS[entry.level] ?? DIM),
    entry.msg ?? "",
  ];
  return [...parts, ...(fields.length > 0 ? [paint(fields.join(" "), DIM)] : [])].join(" ");
}

/**
 * Prints the lines of many processes, one per event, in the given format. Lines that are not JSON (the trace of a crash)
 * become the message of an event.
 */
export function createPrinter(write: (text: string) => void, options: { format: LogFormat; isTerminal: boolean }) {
  const colours = new Map<string, number>();
  const paint = (text: string, code: string): string => (options.isTerminal ? `${code}${text}${RESET}` : text);
  const toColour = (name: string): number => {
    const colour = colours.get(name) ?? COLOURS[colours.size % COLOURS.length] ?? 36;
    colours.set(name, colour);
    return colour;
  };
  return (name: string, line: string, level = name === "up" ? INFO : WARN): void => {
    const known = parse(line);
    if (options.format === "json")
      return write(`${known ? line : JSON.stringify({ level, time: Date.now(), name, msg: line })}\n`);
    write(`${toPretty(name, known ?? { level, time: Date.now(), msg: line }, paint, toColour(name))}\n`);
  };
}
export type Printer = ReturnType<typeof createPrinter>;

/** A frame around lines, at most as wide as they are. */
export function drawBox(lines: readonly string[]): string {
  const width = Math.max(...lines.map((line) => line.length));
  const edge = "─".repeat(width + 2);
  return [`╭${edge}╮`, ...lines.map((line) => `│ ${line.padEnd(width)} │`), `╰${edge}╯`].join("\n");
}
