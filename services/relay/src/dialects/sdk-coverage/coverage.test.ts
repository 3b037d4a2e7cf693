import { describe, expect, it, vi } from "vitest";
import type { Json } from "../../core/chat/chat.ts";
import { convertError, convertRequest, convertResponse, convertStream, type Outcome } from "./conversions.ts";
import {
  type ChatDialect,
  type CoverageRow,
  type CoverageTable,
  getColumns,
  type Treatment,
} from "./coverage-table.ts";
import { COVERAGE_TABLES } from "./coverage-tables.ts";
import { findDifferences } from "./differences.ts";
import { listMembers } from "./sdk-members.ts";

// Reading the declarations takes long while other tests run.
vi.setConfig({ testTimeout: 120_000 });

/** So many members were declared when the tables were written; a test that reads nothing would pass otherwise. */
const MEMBERS_MIN = 400;

type Result = { readonly kind: Treatment["kind"]; readonly differences: unknown };

/** The outcome of a body or of events, tried as the table describes. */
async function convert(table: CoverageTable, given: unknown, to: ChatDialect): Promise<Outcome> {
  const from = table.dialect;
  switch (table.trial.kind) {
    case "request":
      return convertRequest(given as Json, from, to, table.models);
    case "response":
      return convertResponse(given as Json, from, to);
    case "stream":
      return convertStream(given as readonly Json[], from, to);
    case "error":
      return convertError(given as { status: number; body: Json }, from, to);
  }
}

/** What the member changes: nothing, what is written or charged, or that the call fails. */
async function tryMember(table: CoverageTable, row: CoverageRow, to: ChatDialect): Promise<Result> {
  const { trial } = table;
  const outcome = await convert(table, trial.place(row.example as never), to);
  if (outcome.error) return { kind: "refused", differences: outcome.error };
  const before = await convert(table, row.without ?? trial.without, to);
  expect(before.error, "the example without the member must be valid").toBeUndefined();
  if (before.error) return { kind: "refused", differences: before.error };
  const differences = {
    ...findDifferences(before.written, outcome.written),
    ...findDifferences(before.charged, outcome.charged, "charged"),
  };
  return { kind: Object.keys(differences).length === 0 ? "left out" : "converted", differences };
}

const toFileName = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

describe.each(COVERAGE_TABLES)("$title", (table) => {
  it("has one row for each member that the SDK declares", () => {
    expect(Object.keys(table.rows).sort()).toEqual(listMembers(table.union));
  });

  it("treats each member as its row describes", async () => {
    const fixtures: Record<string, Record<string, unknown>> = {};
    const wrong: string[] = [];
    for (const [member, row] of Object.entries(table.rows)) {
      for (const column of getColumns(table)) {
        const claimed = row[column];
        const { kind, differences } = await tryMember(table, row, column);
        if (claimed?.kind !== kind) wrong.push(`${member} > ${column}: ${kind} ${JSON.stringify(differences)}`);
        if (kind !== "left out") (fixtures[member] ??= {})[column] = differences;
      }
    }
    expect(wrong).toEqual([]);
    const file = `./__fixtures__/${toFileName(table.title)}.json`;
    await expect(`${JSON.stringify(fixtures, null, 2)}\n`).toMatchFileSnapshot(file);
  });
});

describe("coverage of the SDKs' unions", () => {
  it("lists the members of all of them", () => {
    const count = COVERAGE_TABLES.reduce((sum, { rows }) => sum + Object.keys(rows).length, 0);
    expect(count).toBeGreaterThanOrEqual(MEMBERS_MIN);
  });

  it("gives each table a title of its own, and a reason to each treatment that changes something", () => {
    const titles = COVERAGE_TABLES.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    const silent = COVERAGE_TABLES.flatMap(({ title, rows }) =>
      Object.entries(rows).flatMap(([member, row]) =>
        Object.values(row).some((value) => (value as Treatment | undefined)?.detail === "")
          ? [`${title}: ${member}`]
          : [],
      ),
    );
    expect(silent).toEqual([]);
  });
});
