import type { LiteLlmRow, LiteLlmSource, TableName } from "./litellm-source.ts";
import { hasLimits, readLimits } from "./limits.ts";
import { readJson } from "./postgres-values.ts";

/** Values without information. */
const EMPTY: ReadonlySet<string> = new Set(["", "{}", "[]", "null", "f", "false", "0"]);
const isSet = (cell: string | null | undefined): boolean =>
  cell !== null && cell !== undefined && !EMPTY.has(cell.trim());

type Unmapped = { readonly table: TableName; readonly what: string; readonly columns: readonly string[] };

/** Settings that have no place here, by table; the report counts the rows that have one. */
const SETTINGS: readonly Unmapped[] = [
  {
    table: "keys",
    what: "keys",
    columns: [
      "soft_budget",
      "tpd_limit",
      "model_max_budget",
      "budget_limits",
      "budget_fallbacks",
      "config",
      "router_settings",
      "permissions",
      "allowed_cache_controls",
      "allowed_routes",
      "policies",
      "access_group_ids",
      "object_permission_id",
      "project_id",
      "agent_id",
      "organization_id",
      "auto_rotate",
    ],
  },
  {
    table: "teams",
    what: "teams",
    columns: [
      "soft_budget",
      "tpd_limit",
      "model_max_budget",
      "budget_limits",
      "router_settings",
      "policies",
      "access_group_ids",
      "object_permission_id",
      "organization_id",
      "default_team_member_models",
    ],
  },
  {
    table: "users",
    what: "users",
    columns: [
      "sso_user_id",
      "password",
      "model_max_budget",
      "allowed_cache_controls",
      "policies",
      "object_permission_id",
      "organization_id",
    ],
  },
  {
    table: "budgets",
    what: "rows of the budget table",
    columns: ["soft_budget", "tpd_limit", "model_max_budget", "allowed_models", "temp_budget_increase"],
  },
];

/** Settings inside the metadata of keys and teams. */
const METADATA: readonly string[] = [
  "model_rpm_limit",
  "model_tpm_limit",
  "guardrails",
  "tags",
  "temp_budget_increase",
];

/** Tables whose rows have no place here. */
const WHOLE: readonly (readonly [TableName, string])[] = [
  ["organizations", "organizations, with their budgets"],
  ["projects", "projects, with their budgets"],
  ["endUsers", "end users, with their budgets"],
  ["memberships", "memberships of users in teams, with their budgets"],
];

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function countRow(counts: Map<string, number>, row: LiteLlmRow, columns: readonly string[]): void {
  for (const column of columns) if (isSet(row[column])) count(counts, column);
  const metadata = readJson(row["metadata"]);
  for (const name of METADATA) if (isSet(JSON.stringify(metadata[name] ?? null))) count(counts, `metadata.${name}`);
}

function countRows(rows: Iterable<unknown>): number {
  let count = 0;
  for (const _ of rows) count++;
  return count;
}

/** The row of the table of settings whose content is used. */
const USED_SETTING = "environment_variables";

/** Lines about everything in the source that has no place here, with the number of rows that have it. */
export function listUnmapped(source: LiteLlmSource): string[] {
  const lines: string[] = [];
  let shared = 0;
  for (const { table, what, columns } of SETTINGS) {
    const counts = new Map<string, number>();
    for (const row of source.rows(table)) {
      countRow(counts, row, columns);
      if ((table === "teams" || table === "users") && hasLimits(readLimits(row))) shared++;
    }
    for (const [name, number] of counts) lines.push(`not carried over: ${name} of ${number} ${what}`);
  }
  for (const [table, what] of WHOLE) {
    const rows = countRows(source.rows(table));
    if (rows > 0) lines.push(`not carried over: ${rows} ${what}`);
  }
  for (const { param_name: name } of source.rows("config"))
    if (name !== USED_SETTING) lines.push(`not carried over: the settings ${name}`);
  for (const [table, rows] of source.otherTables) lines.push(`not carried over: ${rows} rows of ${table}`);
  if (shared > 0)
    lines.push(`limits of ${shared} users and teams hold for each of their keys here, not for all of them together`);
  return lines;
}
