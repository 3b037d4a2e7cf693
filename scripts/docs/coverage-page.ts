import {
  CHAT_DIALECTS,
  type ChatDialect,
  type CoverageTable,
  getColumns,
  type Treatment,
} from "../../services/relay/src/dialects/sdk-coverage/coverage-table.ts";
import { COVERAGE_TABLES } from "../../services/relay/src/dialects/sdk-coverage/coverage-tables.ts";
import { getSdk } from "../../services/relay/src/dialects/sdk-coverage/sdk-members.ts";
import { code, page, table } from "./markdown.ts";

const NAMES: Readonly<Record<ChatDialect, string>> = {
  "openai-chat": "Chat Completions",
  "openai-responses": "Responses",
  "anthropic-messages": "Messages",
  gemini: "Gemini",
};

const toCell = (treatment: Treatment | undefined): string => {
  const { kind = "", detail = "" } = treatment ?? {};
  return detail === "" ? kind : `${kind}: ${detail}`;
};

/** Whose members they are, and in which direction they are converted. */
function getOrigin({ union, trial }: CoverageTable): string {
  const { declarations, type, path = [] } = union;
  const isSent = trial.kind === "request";
  const direction = isSent ? "Sent by callers, for providers of" : "Sent by providers, for callers of";
  return `${getSdk(declarations)}, ${code([type, ...path].join("."))}. ${direction} the other formats.`;
}

function writeTable(one: CoverageTable): string[] {
  const columns = getColumns(one);
  const rows = Object.entries(one.rows).map(([member, row]) => [
    code(member),
    ...columns.map((column) => toCell(row[column])),
  ]);
  return [`### ${one.title}`, getOrigin(one), table(["Member", ...columns.map((column) => NAMES[column])], rows)];
}

const INTRO = `What becomes of each thing that the official SDKs declare when a call is converted between formats. Within its own format everything passes as it is.

- **converted**: it is written in the other format's way.
- **left out**: what is written is the same without it; the cell has the reason.
- **refused**: the call fails; the cell names the error.`;

const HOW = `A test compares these tables with the declarations of the installed SDKs, and each cell with what the conversion writes: see [recipes](recipes.md#raise-the-version-of-an-sdk).`;

/** The tables of `sdk-coverage`, by dialect. */
export function createCoveragePage(): string {
  const count = COVERAGE_TABLES.reduce((sum, { rows }) => sum + Object.keys(rows).length, 0);
  const parts = CHAT_DIALECTS.flatMap((dialect) => {
    const own = COVERAGE_TABLES.filter((one) => one.dialect === dialect);
    return own.length === 0 ? [] : [`## ${NAMES[dialect]}`, ...own.flatMap(writeTable)];
  });
  return page("Coverage of the formats", INTRO, `There are ${count} members. ${HOW}`, ...parts);
}
