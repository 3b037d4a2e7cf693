import { DatabaseSync } from "node:sqlite";
import { writeFileSync } from "node:fs";

/** Content of each generated install of another gateway. All passwords are `old-password-1`. */
export type OldInstall = {
  readonly passwordHash: string;
  readonly upstreamUrl: string;
  /** 48 letters and digits. */
  readonly tokenKey: string;
  /** Makes names, codes and models unique. */
  readonly mark: string;
};

type Cell = string | number | null;
export type Rows = Readonly<Record<string, readonly Readonly<Record<string, Cell>>[]>>;

/** Common to all three products. */
function commonRows({ passwordHash, upstreamUrl, tokenKey, mark }: OldInstall): Rows {
  const user = {
    password: passwordHash,
    status: 1,
    display_name: "",
    email: "",
    github_id: "",
    wechat_id: "",
    group: "default",
  };
  return {
    users: [
      {
        ...user,
        id: 1,
        username: "root",
        role: 100,
        access_token: `${mark}roottoken0000000000000000000`.slice(0, 32),
        quota: 100,
        used_quota: 0,
        request_count: 0,
        aff_code: `${mark}r`,
        inviter_id: 0,
      },
      {
        ...user,
        id: 2,
        username: `${mark}-anna`,
        role: 1,
        access_token: null,
        quota: 5_000_000,
        used_quota: 1_234_567,
        request_count: 42,
        aff_code: `${mark}a`,
        inviter_id: 3,
        email: `anna@${mark}.example`,
      },
      {
        ...user,
        id: 3,
        username: `${mark}-o'neil`,
        group: "club",
        role: 10,
        access_token: null,
        quota: 77,
        used_quota: 0,
        request_count: 0,
        aff_code: `${mark}b`,
        inviter_id: 0,
      },
    ],
    tokens: [
      {
        id: 9,
        user_id: 2,
        key: tokenKey,
        status: 1,
        name: "main",
        created_time: 1_700_000_000,
        accessed_time: 1_700_000_100,
        expired_time: -1,
        remain_quota: 1_000_000,
        unlimited_quota: 0,
        used_quota: 500_000,
      },
    ],
    channels: [
      {
        id: 5,
        type: 1,
        key: "up-key-one\nup-key-two",
        status: 1,
        name: `${mark} upstream`,
        weight: 3,
        created_time: 1_700_000_000,
        test_time: 0,
        response_time: 120,
        base_url: upstreamUrl,
        other: "",
        balance: 0,
        models: `${mark}-model,gpt-4o`,
        group: "default,club,paid",
        used_quota: 999,
        model_mapping: `{"${mark}-model":"gpt-4o"}`,
        priority: 7,
      },
      {
        id: 6,
        type: 9_999,
        key: "k",
        status: 1,
        name: "unknown kind",
        weight: 0,
        created_time: 0,
        test_time: 0,
        response_time: 0,
        base_url: "",
        other: "",
        balance: 0,
        models: "x",
        group: "default",
        used_quota: 0,
        model_mapping: "",
        priority: 0,
      },
    ],
    options: [
      { key: "SystemName", value: `TestSite ${mark}` },
      { key: "GroupRatio", value: '{"default":1,"vip":1,"svip":1,"paid":2}' },
      { key: "ModelRatio", value: `{"${mark}-model":1.25,"gpt-4o":1.25}` },
      { key: "SMTPToken", value: "very-secret-mail-token" },
      { key: "SomethingOfTheirOwn", value: "very-secret-too" },
    ],
    redemptions: [
      {
        id: 4,
        user_id: 1,
        key: `${mark}0000000000000000000000000000000`.slice(0, 32),
        status: 1,
        name: "hundred",
        quota: 100,
        created_time: 1_700_000_000,
        redeemed_time: 0,
      },
      {
        id: 5,
        user_id: 1,
        key: `${mark}1111111111111111111111111111111`.slice(0, 32),
        status: 3,
        name: "used",
        quota: 50,
        created_time: 1_700_000_000,
        redeemed_time: 1_700_000_500,
      },
    ],
    logs: [
      {
        id: 1,
        user_id: 2,
        created_at: 1_700_000_600,
        type: 2,
        content: "",
        username: `${mark}-anna`,
        token_name: "main",
        model_name: "gpt-4o",
        quota: 200,
        prompt_tokens: 10,
        completion_tokens: 20,
        channel_id: 5,
      },
      {
        id: 2,
        user_id: 2,
        created_at: 1_700_000_700,
        type: 1,
        content: "topped up; it's fine",
        username: `${mark}-anna`,
        token_name: "",
        model_name: "",
        quota: 0,
        prompt_tokens: 0,
        completion_tokens: 0,
        channel_id: 0,
      },
    ],
  };
}

const withColumns = (rows: Rows, columns: Readonly<Record<string, Readonly<Record<string, Cell>>>>): Rows =>
  Object.fromEntries(
    Object.entries(rows).map(([table, list]) => [table, list.map((row) => ({ ...row, ...columns[table] }))]),
  );

const affiliates = {
  aff_count: 1,
  aff_quota: 60,
  aff_history: 90,
  deleted_at: null,
  setting: '{"record_ip_log":true}',
  linux_do_id: "",
  oidc_id: "",
  telegram_id: "",
};
const newApi = (install: OldInstall): Rows =>
  withColumns(commonRows(install), {
    users: affiliates,
    tokens: { model_limits_enabled: 0, model_limits: "", allow_ips: null, group: "", deleted_at: null },
    channels: { tag: null, setting: null, auto_ban: 1, status_code_mapping: null },
    redemptions: { used_user_id: 2, deleted_at: null },
    logs: { use_time: 2, is_stream: 1, token_id: 9, group: "default", other: "{}" },
  });
const veloera = (install: OldInstall): Rows => {
  const rows = withColumns(newApi(install), {
    tokens: { rate_limit_enabled: 0, rate_limit_period: 60, rate_limit_count: 1000, rate_limit_success: 0 },
    channels: { model_prefix: null },
    redemptions: { is_gift: 0, max_uses: -1, used_count: 0, valid_from: 0, valid_until: 0 },
  });
  const gift = {
    ...rows["redemptions"]?.[0],
    id: 6,
    key: `${install.mark}gift`,
    name: "gift",
    is_gift: 1,
    max_uses: 3,
    used_count: 2,
  };
  const uses = [2, 3].map((user_id, index) => ({ id: index + 1, redemption_id: 6, user_id, used_time: 1_700_000_500 }));
  return { ...rows, redemptions: [...(rows["redemptions"] ?? []), gift], redemption_logs: uses };
};
const oneApi = (install: OldInstall): Rows =>
  withColumns(commonRows(install), {
    users: { lark_id: "", oidc_id: "" },
    tokens: { models: null, subnet: "" },
    channels: { config: "{}", system_prompt: "" },
    logs: { elapsed_time: 1_600, is_stream: 0 },
  });

/** Writes tables as an SQLite file; the columns of a table are those of its first row. */
export function writeSqlite(path: string, rows: Rows): void {
  const database = new DatabaseSync(path);
  for (const [table, list] of Object.entries(rows)) {
    const columns = Object.keys(list[0] ?? {});
    database.exec(`CREATE TABLE ${table} (${columns.map((name) => `"${name}"`).join()})`);
    const insert = database.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => "?").join()})`);
    for (const row of list) insert.run(...columns.map((name) => row[name] ?? null));
  }
  database.close();
}

const ESCAPED: Readonly<Record<string, string>> = { "\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", '"': '\\"' };
const literal = (cell: Cell): string =>
  cell === null
    ? "NULL"
    : typeof cell === "number"
      ? String(cell)
      : `'${cell.replaceAll(/[\\'\n\r"]/g, (sign) => ESCAPED[sign] ?? sign)}'`;

/** The format in which mysqldump writes tables. */
function writeMysqlDump(path: string, rows: Rows): void {
  const tables = Object.entries(rows).map(([table, list]) => {
    const columns = Object.keys(list[0] ?? {});
    const values = list.map((row) => `(${columns.map((name) => literal(row[name] ?? null)).join()})`);
    return [
      `--\n-- Table structure for table \`${table}\`\n--\n\nDROP TABLE IF EXISTS \`${table}\`;`,
      `/*!50503 SET character_set_client = utf8mb4 */;`,
      `CREATE TABLE \`${table}\` (\n${columns.map((name) => `  \`${name}\` longtext`).join(",\n")},\n  KEY \`idx\` (\`${columns[0] ?? ""}\`)\n) ENGINE=InnoDB;`,
      `LOCK TABLES \`${table}\` WRITE;\nINSERT INTO \`${table}\` VALUES ${values.join(",")};\nUNLOCK TABLES;`,
    ].join("\n");
  });
  writeFileSync(path, `-- MySQL dump 10.13  Distrib 8.0\n/*!40101 SET NAMES utf8mb4 */;\n${tables.join("\n")}\n`);
}

/** Writes the database of a generated install. */
export const writeOneApi = (path: string, install: OldInstall): void => writeSqlite(path, oneApi(install));
export const writeVeloera = (path: string, install: OldInstall): void => writeSqlite(path, veloera(install));
export const writeNewApi = (path: string, install: OldInstall): void => writeMysqlDump(path, newApi(install));
