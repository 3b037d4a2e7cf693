import { expect, it } from "vitest";
import { createDumpReader, type DumpRow, readLines } from "./postgres-dump.ts";
import { readArray, readTime } from "./postgres-values.ts";

function read(dump: string, tables: readonly string[] = ["T"]): DumpRow[] {
  const reader = createDumpReader((table) => tables.includes(table));
  const rows = dump.split("\n").flatMap((line) => [...reader.read(line)]);
  reader.finish();
  return rows;
}
const CREATE = `CREATE TABLE public."T" (
    id text NOT NULL,
    "startTime" timestamp(3) without time zone DEFAULT 'a;b'::text,
    data jsonb,
    CONSTRAINT "T_check" CHECK ((id <> ''::text))
);`;

it("reads COPY blocks, their escapes and NULL, and skips other tables", () => {
  const dump = [
    'COPY public."Other" (a, b) FROM stdin;',
    "INSERT INTO x\t\\N",
    "\\.",
    'COPY public."T" (id, "startTime", data) FROM stdin;',
    'one\\ttab\\nline\\\\slash\t\\N\t{"a": "\\\\"q\\\\""}',
    "\\.",
    "",
  ].join("\n");
  expect(read(dump)).toEqual([
    {
      table: "T",
      columns: ["id", "startTime", "data"],
      cells: ["one\ttab\nline\\slash", null, '{"a": "\\"q\\""}'],
      line: 5,
    },
  ]);
});

it("reads INSERT statements with and without columns, several rows and texts of several lines", () => {
  const dump = `${CREATE}
INSERT INTO public."T" VALUES ('it''s; (one)', NULL, '{"a": 1}');
INSERT INTO public."Other" VALUES ('a
b;
');
INSERT INTO public."T" VALUES
	('a
b', '2026-01-01 00:00:00', E'c\\\\d\\n'),
	('-', true, 1.5e-05);
INSERT INTO public."T" (data, id) VALUES ('x'::jsonb, 'y');`;
  expect(read(dump).map(({ cells }) => cells)).toEqual([
    ["it's; (one)", null, '{"a": 1}'],
    ["a\nb", "2026-01-01 00:00:00", "c\\d\n"],
    ["-", "true", "1.5e-05"],
    ["x", "y"],
  ]);
});

it.each([
  ['COPY public."T" (id) FROM stdin;\na\nb', "line 3: it ends within the rows of T"],
  ['COPY public."T" (id, data) FROM stdin;\na\tb\nc', "line 3: a row of T has 1 values for 2 columns"],
  ['INSERT INTO public."T" (id) VALUES (\'a', "line 1: it ends within a statement"],
  ['INSERT INTO public."T" VALUES (1);', "line 1: it names no columns of T; it needs its CREATE TABLE"],
  ['INSERT INTO public."T" (id) VALUES (now());', "line 1: a row does not end (T)"],
  ['INSERT INTO public."T" (id) SELECT 1;', "line 1: this statement cannot be read"],
])("names the line where a dump is broken: %j", (dump, problem) => {
  expect(() => read(dump)).toThrow(`The dump is broken at ${problem}`);
});

it("splits pieces into lines wherever they are cut, and refuses a line that is too long", async () => {
  async function* pieces(...texts: readonly string[]): AsyncGenerator<string> {
    await Promise.resolve();
    yield* texts;
  }
  const read = async (...texts: readonly string[]): Promise<string[]> => {
    const lines: string[] = [];
    for await (const line of readLines(pieces(...texts))) lines.push(line);
    return lines;
  };
  const lines = await read("a", "b\r\nc\n", "\n", "d");
  expect(lines).toEqual(["ab", "c", "", "d"]);
  const long = "x".repeat(16 * 1024 * 1024);
  await expect(read("a\n", ...Array.from({ length: 5 }, () => long))).rejects.toThrow(
    "The dump is broken at line 2: a line is longer than 64 MiB",
  );
});

it("reads arrays and times", () => {
  expect(readArray('{gpt-4o,"a \\"b\\", c",NULL}')).toEqual(["gpt-4o", 'a "b", c']);
  expect(readArray("{}")).toEqual([]);
  expect(readTime("2026-11-26 04:00:00.123")).toBe(Date.UTC(2026, 10, 26, 4) / 1000);
  expect(readTime("2026-11-26 04:00:00+02")).toBe(Date.UTC(2026, 10, 26, 2) / 1000);
  expect(readTime(null)).toBeUndefined();
});
