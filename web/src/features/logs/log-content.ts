import type { TFunction } from "i18next";
import { text } from "../../lib/i18n-source.ts";

/** The sentences that the services write into the log and the ledger, with what they fill in; in the log an amount may follow. */
const SENTENCES = [
  text("通过兑换码充值 {{amount}}，兑换码ID {{id}}"),
  text("通过礼品码充值 {{amount}}，兑换码ID {{id}}"),
  text("使用在线充值成功，充值金额: {{amount}}，支付金额：{{money}}，订单号 {{trade}}"),
  text("管理员为订单 {{trade}} 退款，扣除 {{amount}}，原因：{{reason}}"),
  text("订单 {{trade}} 退款，收回返利"),
  text("订单 {{trade}} 退款"),
  text("新用户注册赠送"),
  text("系统初始化赠送"),
  text("用户签到，获得"),
  text("使用邀请码赠送"),
  text("邀请额度转移到余额"),
  text("邀请的用户 {{name}} 充值返利"),
  text("任务 {{task}} 失败退还"),
  text("管理员将用户额度从 {{before}}修改为 {{after}}"),
  text("操作 {{action}}，任务 {{id}}"),
  text("任务 {{name}} 失败退还 {{amount}}"),
  text("任务 {{name}} 失败退还"),
  text("中继中断，按已结算费用入账"),
  text("中继中断，按预留结算"),
  text("从 {{product}} 迁移"),
] as const;

const PLACEHOLDER = /\{\{(\w+)\}\}/g;
const escaped = (part: string): string => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const PATTERNS = SENTENCES.map((sentence) => ({
  sentence,
  names: [...sentence.matchAll(PLACEHOLDER)].map(([, name = ""]) => name),
  pattern: new RegExp(
    `^${sentence
      .split(/\{\{\w+\}\}/)
      .map(escaped)
      .join("(.+?)")}$`,
  ),
}));

// An amount as the services write it, a full-width dollar sign and the word for quota included.
const AMOUNT = /^(\uff04?)(-?\d+(?:\.\d+)?) \u70b9?\u989d\u5ea6$/;

function readable(value: string): string {
  const amount = AMOUNT.exec(value);
  if (!amount) return value;
  const number = Number(amount[2]).toLocaleString("en-US", { maximumFractionDigits: 6 });
  return amount[1] === "" ? number : `$${number}`;
}

const FOLLOWING_AMOUNT = /^(.+?) (\uff04?-?\d+(?:\.\d+)? \u70b9?\u989d\u5ea6)$/;

function translateSentence(content: string, t: TFunction): string | undefined {
  for (const { sentence, names, pattern } of PATTERNS) {
    const match = pattern.exec(content);
    if (match)
      return t(sentence, Object.fromEntries(names.map((name, index) => [name, readable(match[index + 1] ?? "")])));
  }
  return undefined;
}

/** A note of the log or the ledger in the language in use; one that no service is known to write stays as it is. */
export function translateContent(content: string, t: TFunction): string {
  const whole = translateSentence(content, t);
  if (whole !== undefined) return whole;
  const [, start = "", amount = ""] = FOLLOWING_AMOUNT.exec(content) ?? [];
  const reason = start === "" ? undefined : translateSentence(start, t);
  return reason === undefined ? content : t("{{reason}} {{amount}}", { reason, amount: readable(amount) });
}
