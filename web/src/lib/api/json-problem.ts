import { text } from "../text/i18n-source.ts";

/** The error of a JSON text and its position; line and column count from 1. */
export type JsonProblem = { readonly message: string; readonly line: number; readonly column: number };

type Place = { readonly offset: number; readonly message: string };

const isPlace = (value: number | Place): value is Place => typeof value !== "number";

const SPACE = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// JSON forbids exactly these control characters inside a string.
// oxlint-disable-next-line no-control-regex
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORD = /true|false|null/y;

const EXPECTED_VALUE = text("此处应为一个值");
const EXPECTED_KEY = text("此处应为双引号括起的键名");
const EXPECTED_COLON = text("此处应为冒号");
const EXPECTED_COMMA = text("此处应为逗号或结束括号");
const TRAILING_COMMA = text("最后一项后面不能有逗号");
const BAD_STRING = text("字符串没有正确结束");
const AFTER_END = text("JSON 结束后还有多余的内容");
const DUPLICATE_KEY = text("键名重复");

function match(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(source) ? pattern.lastIndex : -1;
}

const skip = (source: string, at: number): number => match(SPACE, source, at);

function readValue(source: string, at: number): number | Place {
  const start = skip(source, at);
  const first = source[start];
  if (first === "{") return readList(source, start, "}");
  if (first === "[") return readList(source, start, "]");
  if (first === '"') return readString(source, start);
  const end = Math.max(match(NUMBER, source, start), match(WORD, source, start));
  return end > start ? end : { offset: start, message: EXPECTED_VALUE };
}

function readString(source: string, at: number): number | Place {
  const end = match(STRING, source, at);
  return end < 0 ? { offset: at, message: BAD_STRING } : end;
}

function readEntry(source: string, at: number, seen: Set<string>): number | Place {
  if (source[at] !== '"') return { offset: at, message: source[at] === "}" ? TRAILING_COMMA : EXPECTED_KEY };
  const end = readString(source, at);
  if (isPlace(end)) return end;
  const key = source.slice(at, end);
  if (seen.has(key)) return { offset: at, message: DUPLICATE_KEY };
  seen.add(key);
  const colon = skip(source, end);
  return source[colon] === ":" ? readValue(source, colon + 1) : { offset: colon, message: EXPECTED_COLON };
}

function readList(source: string, open: number, close: "}" | "]"): number | Place {
  const seen = new Set<string>();
  let at = skip(source, open + 1);
  if (source[at] === close) return at + 1;
  for (;;) {
    if (close === "]" && source[at] === "]") return { offset: at, message: TRAILING_COMMA };
    const end = close === "}" ? readEntry(source, at, seen) : readValue(source, at);
    if (isPlace(end)) return end;
    at = skip(source, end);
    if (source[at] === close) return at + 1;
    if (source[at] !== ",") return { offset: at, message: EXPECTED_COMMA };
    at = skip(source, at + 1);
  }
}

function placed(source: string, { offset, message }: Place): JsonProblem {
  const before = source.slice(0, offset);
  const line = before.split("\n").length;
  return { message, line, column: offset - before.lastIndexOf("\n") };
}

/** The first error of a JSON text; undefined for valid JSON. Duplicate keys are errors. */
export function findJsonProblem(source: string): JsonProblem | undefined {
  const end = readValue(source, 0);
  if (isPlace(end)) return placed(source, end);
  const rest = skip(source, end);
  return rest === source.length ? undefined : placed(source, { offset: rest, message: AFTER_END });
}

/** The line of a top-level key in a JSON object; line 1 when it is not found. */
export function findKeyLine(source: string, key: string): number {
  const offset = source.indexOf(JSON.stringify(key));
  return offset < 0 ? 1 : source.slice(0, offset).split("\n").length;
}
