import { createCipheriv, createHash } from "node:crypto";
import { writeFileSync } from "node:fs";

/** Content of a generated dump of LiteLLM's database, as `pg_dump` writes it. */
export type LiteLlmDump = {
  readonly upstreamUrl: string;
  /** LiteLLM's salt key, which encrypts the keys of providers. */
  readonly saltKey: string;
};

/** The keys that clients of the generated install have. */
export const LITELLM_KEYS = {
  anna: "sk-anna-0f3c7a9be2d14c55",
  monthly: "sk-anna-monthly-8d1e",
  small: "sk-anna-small-77aa01",
  limited: "sk-bob-limited-42c3",
  blocked: "sk-bob-blocked-99d0",
  expired: "sk-bob-expired-1b2c",
  team: "sk-research-team-5e6f",
  unowned: "sk-service-account-3a",
} as const;

type Cell = string | number | boolean | null;
type Row = Readonly<Record<string, Cell>>;

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** AES-256-GCM as LiteLLM writes it; a fixed nonce makes the dump the same each time. */
export function sealForLiteLlm(text: string, saltKey: string): string {
  const key = createHash("sha256").update(saltKey).digest();
  const nonce = createHash("sha256").update(text).digest().subarray(0, 12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `v2:gcm:${sealed.toString("base64url")}`;
}

const toCopyCell = (cell: Cell | undefined): string => {
  if (cell === null || cell === undefined) return "\\N";
  if (typeof cell === "boolean") return cell ? "t" : "f";
  return String(cell).replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
};

/** A COPY block as pg_dump writes it. */
export function toCopy(table: string, rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const names = columns.map((name) => (/[A-Z]/.test(name) ? `"${name}"` : name)).join(", ");
  const lines = rows.map((row) => columns.map((name) => toCopyCell(row[name])).join("\t"));
  return [`COPY public."${table}" (${names}) FROM stdin;`, ...lines, "\\.", "", ""].join("\n");
}

const BUDGETS: readonly Row[] = [
  { budget_id: "b-small", max_budget: "2e-06", rpm_limit: null, budget_duration: null, created_by: "admin" },
];

const USERS: readonly Row[] = [
  { user_id: "u-admin", user_alias: "admin", user_role: "proxy_admin", user_email: "ops@lite.example", spend: 0 },
  {
    user_id: "u-anna",
    user_alias: "Anna",
    user_role: "internal_user",
    user_email: "anna@lite.example",
    max_budget: 10,
    // Spend of all periods, with noise of floating point.
    spend: "2.5000000000000004",
    password: "scrypt:AAAA",
  },
  { user_id: "u-bob", user_role: "internal_user", user_email: "bob@lite.example", spend: "0.75", rpm_limit: null },
];

const TEAMS: readonly Row[] = [
  {
    team_id: "t-research",
    team_alias: "Research",
    max_budget: 5,
    soft_budget: 4,
    spend: "1.25",
    models: "{gpt-4o-mini}",
    blocked: false,
    model_id: 7,
  },
];

function keyRows(): readonly Row[] {
  const key = (name: keyof typeof LITELLM_KEYS, row: Row): Row => ({
    token: sha256(LITELLM_KEYS[name]),
    key_name: `sk-...${LITELLM_KEYS[name].slice(-4)}`,
    key_alias: name,
    spend: 0,
    total_spend: 0,
    models: "{}",
    aliases: "{}",
    metadata: "{}",
    model_max_budget: "{}",
    created_at: "2025-03-01 10:00:00.123",
    ...row,
  });
  return [
    key("anna", { user_id: "u-anna", spend: "2", total_spend: "2", aliases: '{"fast": "gpt-4o-mini"}' }),
    key("monthly", {
      user_id: "u-anna",
      max_budget: 20,
      budget_duration: "30d",
      budget_reset_at: "2099-01-01 00:00:00",
      spend: "3.5",
      total_spend: "9.75",
      model_max_budget: '{"gpt-4o-mini": {"budget_limit": 1}}',
    }),
    key("small", { user_id: "u-anna", budget_id: "b-small" }),
    key("limited", { user_id: "u-bob", rpm_limit: 1, tpm_limit: 100_000, max_parallel_requests: 4, spend: "0.75" }),
    key("blocked", { user_id: "u-bob", blocked: true }),
    key("expired", { user_id: "u-bob", expires: "2025-06-01 00:00:00" }),
    key("team", { user_id: "u-bob", team_id: "t-research", models: "{all-team-models}", spend: "1.25" }),
    key("unowned", { max_budget: 3, spend: "0.5", budget_duration: "14d" }),
    { ...key("anna", { user_id: "u-admin", team_id: "litellm-dashboard" }), token: sha256("sk-console-session") },
  ];
}

function modelRows({ upstreamUrl, saltKey }: LiteLlmDump): readonly Row[] {
  const sealed = (params: Readonly<Record<string, unknown>>, key = saltKey): string =>
    JSON.stringify(
      Object.fromEntries(
        Object.entries(params).map(([name, value]) => [
          name,
          typeof value === "string" ? sealForLiteLlm(value, key) : value,
        ]),
      ),
    );
  const upstream = { api_base: `${upstreamUrl}/v1`, api_key: "up-key-litellm" };
  const model = (id: string, name: string, row: Row): Row => ({
    model_id: id,
    model_name: name,
    model_info: `{"id": "${id}"}`,
    blocked: false,
    ...row,
  });
  return [
    model("m-1", "gpt-4o-mini", { litellm_params: sealed({ model: "openai/gpt-4o-mini", ...upstream }) }),
    model("m-2", "house-model", {
      litellm_params: sealed({
        model: "openai/gpt-4o-mini",
        ...upstream,
        rpm: 100,
        input_cost_per_token: 1e-6,
        output_cost_per_token: 2e-6,
      }),
    }),
    model("m-3", "gpt-4.1", {
      litellm_params: sealed({ model: "openai/gpt-4.1", api_key: "lost-key" }, "another salt"),
    }),
    model("m-4", "strange", { litellm_params: sealed({ model: "replicate/strange", api_key: "strange-key" }) }),
  ];
}

type Spend = {
  readonly cells: Row;
  readonly prompt?: number;
  readonly completion?: number;
  readonly metadata?: object;
};

/** Rows of LiteLLM_SpendLogs, one for each reason of a difference. */
function spendRows(): readonly Row[] {
  const row = (id: number, { cells, prompt = 1_000, completion = 500, metadata = {} }: Spend): Row => ({
    request_id: `req-${id}`,
    call_type: "acompletion",
    api_key: sha256(LITELLM_KEYS.anna),
    total_tokens: prompt + completion,
    prompt_tokens: prompt,
    completion_tokens: completion,
    startTime: `2026-11-2${id % 2} 08:00:00.5`,
    model: "gpt-4o-mini",
    model_group: "gpt-4o-mini",
    custom_llm_provider: "openai",
    user: "u-anna",
    team_id: null,
    cache_hit: "False",
    status: "success",
    metadata: JSON.stringify(metadata),
    // Prompts and responses may hold anything.
    messages: '{"text": "a\ttab, a\nline and a \\\\."}',
    ...cells,
  });
  const cache = {
    usage_object: {
      prompt_tokens_details: { cached_tokens: 800 },
      completion_tokens_details: { reasoning_tokens: 10 },
    },
  };
  const team = { api_key: sha256(LITELLM_KEYS.team), user: "u-bob", team_id: "t-research" };
  return [
    row(1, { cells: { spend: "0.00045" } }),
    row(2, { cells: { spend: "0.00045000000000000004", ...team } }),
    row(3, { cells: { spend: "0.00039" }, metadata: cache }),
    row(4, { cells: { spend: "0.00045", ...team }, metadata: cache }),
    row(5, { cells: { spend: "1.5e-07" }, prompt: 1, completion: 0 }),
    row(6, { cells: { spend: "0.0009" } }),
    row(7, { cells: { spend: "0.000495" }, metadata: { cost_breakdown: { original_cost: 0.00045 } } }),
    row(8, { cells: { spend: "0", cache_hit: "True" } }),
    row(9, { cells: { spend: "0.1", model: "no-such-model", model_group: "no-such-model" } }),
    row(10, { cells: { spend: "0.04", call_type: "aimage_generation" }, prompt: 0, completion: 0 }),
    row(11, { cells: { spend: "0", status: "failure" }, prompt: 12, completion: 0 }),
    row(12, { cells: { spend: "0.002", model_group: "house-model" } }),
  ];
}

/** Writes a dump with COPY blocks in the order of pg_dump. */
export function writeLiteLlmDump(path: string, about: LiteLlmDump): void {
  const tables: readonly (readonly [string, readonly Row[]])[] = [
    ["LiteLLM_BudgetTable", BUDGETS],
    ["LiteLLM_Config", [{ param_name: "router_settings", param_value: '{"num_retries": 2}' }]],
    ["LiteLLM_DailyUserSpend", [{ id: "d-1", user_id: "u-anna", date: "2026-11-20", spend: "0.1" }]],
    ["LiteLLM_EndUserTable", [{ user_id: "customer-1", spend: "0.1", blocked: false }]],
    ["LiteLLM_ModelTable", [{ id: 7, aliases: '{"team-fast": "gpt-4o-mini"}', created_by: "u-admin" }]],
    ["LiteLLM_ProxyModelTable", modelRows(about)],
    ["LiteLLM_SpendLogs", spendRows()],
    ["LiteLLM_TagTable", [{ tag_name: "batch", spend: 0 }]],
    ["LiteLLM_TeamTable", TEAMS],
    ["LiteLLM_UserTable", USERS],
    ["LiteLLM_VerificationToken", keyRows()],
    ["_prisma_migrations", [{ id: "1", migration_name: "20250326162113_baseline" }]],
  ];
  const head =
    "--\n-- PostgreSQL database dump\n--\n\n-- Dumped from database version 16.4\n\nSET statement_timeout = 0;\n\n";
  writeFileSync(path, head + tables.map(([table, rows]) => toCopy(table, rows)).join("\n"));
}
