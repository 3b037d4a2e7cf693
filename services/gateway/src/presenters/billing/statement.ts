import type { Statement } from "@turnpike/contract/api/ledger";
import type { GetStatementResponse } from "@turnpike/proto/billing/v1/ledger_service";
import { translateNote } from "../english-note.ts";

type Of = { readonly month: string; readonly userId: number; readonly username: string; readonly quotaPerUnit: number };

/** A month as its owner and administrators see it. */
export const toStatement = (found: GetStatementResponse, of: Of): Statement => ({
  month: of.month,
  user_id: of.userId,
  username: of.username,
  quota_per_unit: of.quotaPerUnit,
  opening_quota: found.openingQuota,
  credited_quota: found.creditedQuota,
  spent_quota: found.spentQuota,
  closing_quota: found.closingQuota,
  credits: found.credits.map((credit) => ({
    id: credit.reference,
    kind: credit.kind,
    amount: credit.amount,
    credits_after: credit.creditsAfter,
    reason: credit.reason,
    created_at: credit.createdAtSeconds,
  })),
  uses: found.uses.map((use) => ({
    day: use.day,
    model_name: use.modelName,
    request_count: use.requestCount,
    prompt_tokens: use.promptTokens,
    completion_tokens: use.completionTokens,
    quota: use.quota,
  })),
  is_cut: found.isCut,
});

const HEADS = {
  zh: ["日期", "类型", "项目", "请求数", "提示 tokens", "补全 tokens", "额度", "美元"],
  en: ["Date", "Type", "Item", "Requests", "Prompt tokens", "Completion tokens", "Quota", "Dollars"],
} as const;
const OPENING = { zh: "期初余额", en: "Opening balance" } as const;
const CLOSING = { zh: "期末余额", en: "Closing balance" } as const;

/** English readers see the kinds by their API names. */
const KINDS: Readonly<Record<string, string>> = {
  top_up: "在线充值",
  redemption: "兑换码",
  gift: "赠送",
  check_in: "签到奖励",
  invitation: "邀请奖励",
  rebate: "返利",
  transfer: "奖励划转",
  refund: "退款",
  admin: "管理员调整",
  usage: "模型调用",
};

const toDay = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);

/** The rows of a statement's file in the order of days: the quota column adds up to its last row. */
export function statementRows(statement: Statement, language: "zh" | "en"): (string | number)[][] {
  const dollars = (quota: number): string => (quota / statement.quota_per_unit).toFixed(6);
  const row = (day: string, [type, item]: [string, string], counts: (string | number)[], quota: number) => [
    day,
    type,
    item,
    ...counts,
    quota,
    Number(dollars(quota)),
  ];
  const none = ["", "", ""];
  const kindText = (kind: string): string => (language === "zh" ? (KINDS[kind] ?? kind) : kind);
  const credits = statement.credits.map(({ created_at, kind, reason, amount }) =>
    row(toDay(created_at), [kindText(kind), language === "zh" ? reason : translateNote(reason)], none, amount),
  );
  const uses = statement.uses.map((use) =>
    row(
      use.day,
      [kindText("usage"), use.model_name],
      [use.request_count, use.prompt_tokens, use.completion_tokens],
      -use.quota,
    ),
  );
  const days = [...credits, ...uses].toSorted((a, b) => String(a[0]).localeCompare(String(b[0])));
  return [
    [...HEADS[language]],
    row(`${statement.month}-01`, [OPENING[language], ""], none, statement.opening_quota),
    ...days,
    row(statement.month, [CLOSING[language], ""], none, statement.closing_quota),
  ];
}
