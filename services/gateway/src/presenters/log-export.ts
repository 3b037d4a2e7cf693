import type { AdminLogEntry } from "@turnpike/contract/api/log";
import type { LogFilter } from "@turnpike/proto/billing/v1/log_service";
import type { LogPlace } from "@turnpike/proto/billing/v1/report_service";
import type { CallOptions } from "@turnpike/shared/grpc/client";
import type { Services } from "../http/services.ts";
import { translateNote } from "./english-note.ts";
import { toLogEntry, toOwnLogEntry } from "./log-entry.ts";

const ROWS_PER_READ = 1_000;
const READ_TIMEOUT_MS = 20_000;

type Language = "zh" | "en";
type Column = {
  readonly zh: string;
  readonly en: string;
  readonly admin?: true;
  /** The services write these in Chinese. */
  readonly isNote?: true;
  readonly cell: (entry: AdminLogEntry, details: Details, quotaPerUnit: number) => string | number;
};
type Details = { readonly frt?: unknown; readonly admin_info?: { readonly use_channel?: readonly unknown[] } };

const TYPES: Readonly<Record<Language, readonly string[]>> = {
  zh: ["", "充值", "消费", "管理", "系统", "签到", "错误"],
  en: ["", "top-up", "consumption", "admin", "system", "check-in", "error"],
};

const COLUMNS: readonly (Column & { readonly typed?: true })[] = [
  { zh: "时间", en: "Time", cell: (entry) => new Date(entry.created_at * 1000).toISOString() },
  { zh: "类型", en: "Type", typed: true, cell: (entry) => entry.type },
  { zh: "用户 ID", en: "User ID", admin: true, cell: (entry) => entry.user_id },
  { zh: "用户", en: "User", admin: true, cell: (entry) => entry.username },
  { zh: "令牌", en: "Token", cell: (entry) => entry.token_name },
  { zh: "模型", en: "Model", cell: (entry) => entry.model_name },
  { zh: "分组", en: "Group", cell: (entry) => entry.group },
  { zh: "渠道", en: "Channel", admin: true, cell: (entry) => (entry.channel === 0 ? "" : entry.channel) },
  { zh: "渠道名称", en: "Channel name", admin: true, cell: (entry) => entry.channel_name },
  { zh: "流式", en: "Stream", cell: (entry) => (entry.is_stream ? 1 : 0) },
  { zh: "用时（秒）", en: "Seconds", cell: (entry) => entry.use_time },
  {
    zh: "首字（毫秒）",
    en: "First token (ms)",
    cell: (_, { frt }) => (typeof frt === "number" && frt >= 0 ? frt : ""),
  },
  { zh: "输入", en: "Prompt tokens", cell: (entry) => entry.prompt_tokens },
  { zh: "输出", en: "Completion tokens", cell: (entry) => entry.completion_tokens },
  { zh: "额度", en: "Quota", cell: (entry) => entry.quota },
  { zh: "美元", en: "Dollars", cell: (entry, _, perUnit) => Number((entry.quota / perUnit).toFixed(6)) },
  { zh: "说明", en: "Note", isNote: true, cell: (entry) => entry.content },
  { zh: "客户端 IP", en: "Client IP", cell: (entry) => entry.client_ip },
  { zh: "请求 ID", en: "Request ID", cell: (entry) => entry.request_id },
  {
    zh: "经过的渠道",
    en: "Channels tried",
    admin: true,
    cell: (_, { admin_info }) => (admin_info?.use_channel ?? []).join(" > "),
  },
  { zh: "成本", en: "Upstream cost", admin: true, cell: ({ cost }) => cost ?? "" },
  { zh: "成本来源", en: "Cost source", admin: true, cell: (entry) => entry.cost_source ?? "" },
  {
    zh: "毛利",
    en: "Margin",
    admin: true,
    cell: ({ quota, refunded = 0, cost }) => (typeof cost === "number" ? quota - refunded - cost : ""),
  },
];

function parseDetails(entry: AdminLogEntry): Details {
  try {
    return JSON.parse(entry.other) as Details;
  } catch {
    return {};
  }
}

type LogFile = {
  readonly filter: LogFilter;
  readonly forAdmin: boolean;
  readonly language: Language;
  readonly quotaPerUnit: number;
};

/**
 * The log as lines of a file, newest first, read from billing a thousand rows at a time; a user's file contains no
 * channels.
 */
export async function* logFileRows(
  { reports }: Pick<Services, "reports">,
  { filter, forAdmin, language, quotaPerUnit }: LogFile,
  call: CallOptions,
): AsyncGenerator<(string | number)[][]> {
  const columns = COLUMNS.filter(({ admin }) => forAdmin || admin !== true);
  const toRow = (entry: AdminLogEntry): (string | number)[] => {
    const details = parseDetails(entry);
    return columns.map(({ cell, typed, isNote }) => {
      if (typed) return TYPES[language][entry.type] ?? entry.type;
      if (isNote && language === "en") return translateNote(entry.content);
      return cell(entry, details, quotaPerUnit);
    });
  };
  let head: (string | number)[][] = [columns.map((column) => column[language])];
  let after: LogPlace | undefined;
  do {
    const found = await reports.scanLogs(
      { filter, after, limit: ROWS_PER_READ },
      { ...call, timeoutMs: READ_TIMEOUT_MS },
    );
    yield [...head, ...found.items.map((row) => toRow(forAdmin ? toLogEntry(row) : toOwnLogEntry(row)))];
    head = [];
    after = found.next;
  } while (after);
}
