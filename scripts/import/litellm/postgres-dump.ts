import { SetupError } from "../../process/setup-error.ts";

/** A cell of a dump as text; null for NULL. Arrays and JSON are PostgreSQL's text of them. */
export type DumpCell = string | null;
/** A row of a selected table, with the number of the line it ends on. */
export type DumpRow = {
  readonly table: string;
  readonly columns: readonly string[];
  readonly cells: readonly DumpCell[];
  readonly line: number;
};

/** A row that is longer than this is no row of a sane table; the reader holds one row at a time. */
export const LINE_LENGTH_MAX = 64 * 1024 * 1024;

const NAME = String.raw`(?:"(?:[^"]|"")+"|[\w$]+)`;
const COPY = new RegExp(String.raw`^COPY\s+(?:${NAME}\.)?(${NAME})\s*\(([^)]*)\)\s+FROM\s+stdin`, "i");
const INSERT = new RegExp(
  String.raw`^INSERT\s+INTO\s+(?:${NAME}\.)?(${NAME})\s*(\([^)]*\))?\s*(?:OVERRIDING\s+\w+\s+VALUE\s+)?VALUES\s*`,
  "i",
);
const CREATE = new RegExp(
  String.raw`^CREATE\s+(?:UNLOGGED\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:${NAME}\.)?(${NAME})\s*\(`,
  "i",
);
const COLUMN = new RegExp(String.raw`^\s+(${NAME})\s`);
/** Lines of a table's definition that are no columns. */
const CONSTRAINT = /^\s+(?:CONSTRAINT|PRIMARY|UNIQUE|FOREIGN|CHECK|EXCLUDE|LIKE)\b/i;

const plain = (name: string): string => {
  const text = name.trim();
  return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;
};
const splitNames = (list: string): string[] => list.split(",").map(plain);

const COPY_ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/** A cell of a COPY block, without its escapes. */
function readCopyCell(text: string): DumpCell {
  if (text === "\\N") return null;
  if (!text.includes("\\")) return text;
  return text.replace(/\\(x[0-9A-Fa-f]{1,2}|[0-7]{1,3}|.)/gs, (_, escape: string) => {
    if (/^x./.test(escape)) return String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    if (/^[0-7]/.test(escape)) return String.fromCharCode(Number.parseInt(escape, 8));
    return COPY_ESCAPES[escape] ?? escape;
  });
}

/** The text of a literal from its opening quote, and where it ends. */
function readLiteral(
  text: string,
  start: number,
  hasEscapes: boolean,
): { readonly value: string; readonly end: number } {
  let end = text.indexOf("'", start + 1);
  while (end >= 0 && text[end + 1] === "'") end = text.indexOf("'", end + 2);
  if (end < 0) throw new Error("a text does not end");
  const value = text.slice(start + 1, end).replaceAll("''", "'");
  return {
    value: hasEscapes ? value.replace(/\\(.)/gs, (_, sign: string) => COPY_ESCAPES[sign] ?? sign) : value,
    end: end + 1,
  };
}

/** The rows of an INSERT after VALUES. Throws where a value is not a literal. */
function* readTuples(text: string, start: number): Generator<DumpCell[]> {
  let at = start;
  const skip = (signs: RegExp): void => {
    while (at < text.length && signs.test(text[at] ?? "")) at++;
  };
  for (;;) {
    skip(/[\s,]/);
    if (text[at] !== "(") return;
    at++;
    const cells: DumpCell[] = [];
    for (;;) {
      skip(/\s/);
      const hasEscapes = /^e'/i.test(text.slice(at, at + 2));
      if (hasEscapes) at++;
      if (text[at] === "'") {
        const { value, end } = readLiteral(text, at, hasEscapes);
        cells.push(value);
        at = end;
        // A type after the literal, such as ::jsonb.
        skip(/[^,)]/);
      } else {
        const word = /^[^,()'\s]+/.exec(text.slice(at, at + 64))?.[0];
        if (word === undefined) throw new Error("a value is not a literal");
        cells.push(/^null$/i.test(word) ? null : word);
        at += word.length;
        skip(/\s/);
      }
      const sign = text[at++];
      if (sign === ")") break;
      if (sign !== ",") throw new Error("a row does not end");
    }
    yield cells;
  }
}

function readColumns(body: string): string[] {
  return body.split("\n").flatMap((line) => {
    const name = CONSTRAINT.test(line) ? undefined : COLUMN.exec(line)?.[1];
    return name === undefined ? [] : [plain(name)];
  });
}

/** Whether all quotes of a text are closed: doubled quotes count twice. */
function countQuotes(text: string): number {
  let count = 0;
  for (let at = text.indexOf("'"); at >= 0; at = text.indexOf("'", at + 1)) count++;
  return count;
}

const refuse = (line: number, problem: string): SetupError =>
  new SetupError(`The dump is broken at line ${line}: ${problem}.`);

type CopyBlock = { readonly table: string; readonly columns: readonly string[]; readonly isSelected: boolean };
type Statement = { text: string; quotes: number; readonly isSelected: boolean };

/** Reads complete CREATE TABLE and INSERT statements; errors of a row name the line on which the statement ends. */
function createStatementReader() {
  const columnsOf = new Map<string, readonly string[]>();
  return function* read(text: string, line: number): Generator<DumpRow> {
    const created = CREATE.exec(text);
    if (created) {
      columnsOf.set(plain(created[1] ?? ""), readColumns(text.slice(created[0].length)));
      return;
    }
    const [head, name = "", list] = INSERT.exec(text) ?? [];
    if (head === undefined) return;
    const table = plain(name);
    const columns = list === undefined ? columnsOf.get(table) : splitNames(list.slice(1, -1));
    if (!columns) throw refuse(line, `it names no columns of ${table}; it needs its CREATE TABLE`);
    try {
      for (const cells of readTuples(text, head.length)) yield toRow({ table, columns, cells, line });
    } catch (error) {
      throw error instanceof SetupError ? error : refuse(line, `${(error as Error).message} (${table})`);
    }
  };
}

/** A row that has a value for each column. */
function toRow(row: DumpRow): DumpRow {
  const { table, columns, cells, line } = row;
  if (cells.length === columns.length) return row;
  throw refuse(line, `a row of ${table} has ${cells.length} values for ${columns.length} columns`);
}

/**
 * Reads a plain dump of PostgreSQL (`pg_dump`, with COPY blocks, --inserts or --column-inserts) line by line; holds one row at a
 * time. `isSelected` chooses tables. Throws SetupError with the line where the dump is broken or a row is too long.
 */
export function createDumpReader(isSelected: (table: string) => boolean) {
  const readStatement = createStatementReader();
  let line = 0;
  let copy: CopyBlock | undefined;
  let statement: Statement | undefined;

  function* addToStatement(open: Statement, text: string): Generator<DumpRow> {
    if (open.isSelected) open.text += open.text === "" ? text : `\n${text}`;
    if (open.text.length > LINE_LENGTH_MAX) throw refuse(line, "a statement is longer than 64 MiB");
    open.quotes += countQuotes(text);
    if (open.quotes % 2 !== 0 || !text.trimEnd().endsWith(";")) return;
    statement = undefined;
    if (open.isSelected) yield* readStatement(open.text, line);
  }
  function begin(text: string): void {
    const copied = COPY.exec(text);
    if (copied) {
      const [, name = "", list = ""] = copied;
      const table = plain(name);
      copy = { table, columns: splitNames(list), isSelected: isSelected(table) };
      return;
    }
    const name = (CREATE.exec(text) ?? INSERT.exec(text))?.[1];
    if (name !== undefined) statement = { text: "", quotes: 0, isSelected: isSelected(plain(name)) };
    else if (/^(?:COPY|INSERT)\s/i.test(text))
      throw refuse(line, `this statement cannot be read: ${text.slice(0, 60)}`);
  }
  return {
    /** The rows that a line ends. */
    *read(text: string): Generator<DumpRow> {
      line++;
      if (copy) {
        const { table, columns } = copy;
        if (text === "\\.") copy = undefined;
        else if (copy.isSelected) yield toRow({ table, columns, cells: text.split("\t").map(readCopyCell), line });
        return;
      }
      if (!statement) begin(text);
      if (statement) yield* addToStatement(statement, text);
    },
    /** Throws when the dump ends within rows. */
    finish(): void {
      if (copy) throw refuse(line, `it ends within the rows of ${copy.table}`);
      if (statement) throw refuse(line, "it ends within a statement");
    },
  };
}

/** Splits pieces of a text into lines. Throws SetupError for a line that is longer than a row may be. */
export async function* readLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest: string[] = [];
  let length = 0;
  let line = 1;
  for await (const piece of pieces) {
    const lines = piece.split("\n");
    const last = lines.pop() ?? "";
    for (const text of lines) {
      const whole = rest.length === 0 ? text : rest.join("") + text;
      yield whole.endsWith("\r") ? whole.slice(0, -1) : whole;
      line++;
      rest = [];
      length = 0;
    }
    rest.push(last);
    length += last.length;
    if (length > LINE_LENGTH_MAX) throw refuse(line, "a line is longer than 64 MiB");
  }
  if (length > 0) yield rest.join("");
}
