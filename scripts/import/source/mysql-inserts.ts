/** Content of an INSERT or CREATE TABLE of a MySQL dump; binary values that are text are returned as text. */
export type SqlValue = string | number | bigint | null;
export type SqlEvent =
  | { readonly kind: "columns"; readonly table: string; readonly columns: readonly string[] }
  | {
      readonly kind: "row";
      readonly table: string;
      readonly columns: readonly string[] | undefined;
      readonly values: readonly SqlValue[];
    };

const ESCAPES: Readonly<Record<string, string>> = { "0": "\0", b: "\b", n: "\n", r: "\r", t: "\t", Z: "\u001a" };
const INSERT =
  /^(?:INSERT|REPLACE)(?:\s+(?:IGNORE|LOW_PRIORITY|DELAYED|HIGH_PRIORITY))*\s+INTO\s+(?:`[^`]+`\.)?(`(?:[^`]|``)+`|[\w$]+)\s*(\([^)]*\))?\s*VALUES?\s*/i;
const CREATE = /^CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:`[^`]+`\.)?(`(?:[^`]|``)+`|[\w$]+)\s*\(/i;
/** The head of an INSERT, up to its first row, is never longer. */
const HEAD_LENGTH_MAX = 65_536;

const plain = (name: string): string => name.trim().replace(/^`|`$/g, "").replaceAll("``", "`");

function readColumns(body: string): string[] {
  return body.split("\n").flatMap((line) => {
    const [, name] = /^\s*`((?:[^`]|``)+)`\s/.exec(line) ?? [];
    return name === undefined ? [] : [name.replaceAll("``", "`")];
  });
}

/** Reads a quoted text from its opening quote; undefined while its end has not been read. */
function readQuoted(text: string, start: number): { readonly value: string; readonly end: number } | undefined {
  const quote = text[start];
  let value = "";
  let from = start + 1;
  for (let at = from; at < text.length; at++) {
    const sign = text[at];
    if (sign === "\\" && quote !== "`") {
      if (at + 1 >= text.length) return undefined;
      const next = text[at + 1] ?? "";
      // MySQL keeps the backslash before % and _.
      value += text.slice(from, at) + (next === "%" || next === "_" ? `\\${next}` : (ESCAPES[next] ?? next));
      from = ++at + 1;
    } else if (sign === quote) {
      if (at + 1 >= text.length) return undefined;
      if (text[at + 1] !== quote) return { value: value + text.slice(from, at), end: at + 1 };
      value += text.slice(from, at + 1);
      from = ++at + 1;
    }
  }
  return undefined;
}

function readBare(word: string): SqlValue {
  const text = word.trim();
  if (/^null$/i.test(text)) return null;
  if (/^0x[0-9a-f]*$/i.test(text)) return Buffer.from(text.slice(2), "hex").toString("utf8");
  if (/^(true|false)$/i.test(text)) return /^t/i.test(text) ? 1 : 0;
  const value = Number(text);
  if (text === "" || Number.isNaN(value)) throw new Error(`not a value: ${text.slice(0, 40)}`);
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(text) : value;
}

/** Reads one row from its opening bracket; undefined while its end has not been read. */
function readRow(text: string, start: number): { readonly values: SqlValue[]; readonly end: number } | undefined {
  const values: SqlValue[] = [];
  let at = start + 1;
  let bareFrom = at;
  let quoted: string | undefined;
  for (;;) {
    const sign = text[at];
    if (sign === undefined) return undefined;
    if (sign === "'" || sign === '"') {
      // The text before it is a character set such as _binary.
      const read = readQuoted(text, at);
      if (!read) return undefined;
      quoted = read.value;
      at = read.end;
    } else if (sign === "," || sign === ")") {
      values.push(quoted ?? readBare(text.slice(bareFrom, at)));
      quoted = undefined;
      at++;
      bareFrom = at;
      if (sign === ")") return { values, end: at };
    } else at++;
  }
}

/** Finds the end of a statement (its semicolon), skipping quotes and comments; undefined while it has not been read. */
function findStatementEnd(text: string, start: number): number | undefined {
  for (let at = start; at < text.length; at++) {
    const sign = text[at];
    if (sign === ";") return at;
    if (sign === "'" || sign === '"' || sign === "`") {
      const read = readQuoted(text, at);
      if (!read) return undefined;
      at = read.end - 1;
    }
  }
  return undefined;
}

/**
 * Finds the start of the next statement, skipping white space, semicolons and comments; undefined if the text ends
 * inside one.
 */
function skipBlanks(text: string, start: number): number | undefined {
  let at = start;
  for (;;) {
    while (at < text.length && /[\s;]/.test(text[at] ?? "")) at++;
    if (at >= text.length) return undefined;
    const isLine = text.startsWith("--", at) || text[at] === "#";
    const isBlock = text.startsWith("/*", at);
    if (!isLine && !isBlock) return text[at] === "-" || text[at] === "/" ? (at + 1 < text.length ? at : undefined) : at;
    const end = text.indexOf(isLine ? "\n" : "*/", at);
    if (end < 0) return undefined;
    at = end + (isLine ? 1 : 2);
  }
}

/**
 * Reads a dump chunk by chunk: the rows of every INSERT and the columns of each CREATE TABLE. Holds at most one row and
 * one chunk in memory; throws if the text is not a dump.
 */
export function createInsertReader(isImported: (table: string) => boolean) {
  let rest = "";
  let insert: { table: string; columns: readonly string[] | undefined } | undefined;

  function* rows(at: number): Generator<SqlEvent, number | undefined> {
    let from = at;
    for (;;) {
      while (from < rest.length && /[\s,]/.test(rest[from] ?? "")) from++;
      const sign = rest[from];
      if (sign === undefined) return retainFrom(from);
      if (sign !== "(") {
        // The semicolon, or ON DUPLICATE KEY …
        const end = findStatementEnd(rest, from);
        if (end === undefined) return retainFrom(from);
        insert = undefined;
        return end + 1;
      }
      const row = readRow(rest, from);
      if (!row) return retainFrom(from);
      if (insert && isImported(insert.table)) yield { kind: "row", ...insert, values: row.values };
      from = row.end;
    }
  }
  const retainFrom = (from: number): undefined => {
    rest = rest.slice(from);
  };
  function* statement(at: number): Generator<SqlEvent, number | undefined> {
    const head = rest.slice(at, at + HEAD_LENGTH_MAX);
    const begun = INSERT.exec(head);
    if (begun) {
      const [matched, name = "", list] = begun;
      if (at + matched.length >= rest.length) return retainFrom(at);
      insert = { table: plain(name), columns: list?.slice(1, -1).split(",").map(plain) };
      return yield* rows(at + matched.length);
    }
    const end = findStatementEnd(rest, at);
    if (end === undefined) return retainFrom(at);
    const created = CREATE.exec(head);
    if (created)
      yield {
        kind: "columns",
        table: plain(created[1] ?? ""),
        columns: readColumns(rest.slice(at + created[0].length, end)),
      };
    return end + 1;
  }
  return {
    *read(piece: string): Generator<SqlEvent> {
      rest += piece;
      let at: number | undefined = 0;
      if (insert) at = yield* rows(0);
      while (at !== undefined) {
        const next = skipBlanks(rest, at);
        at = next === undefined ? retainFrom(at) : yield* statement(next);
      }
    },
    /** Throws when the dump ends within a row. */
    finish(): void {
      if (insert) throw new Error(`the dump ends within the rows of ${insert.table}`);
    },
  };
}
