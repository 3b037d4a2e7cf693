import type { TFunction } from "i18next";
import { text } from "../../lib/i18n-source.ts";

/** The sentences that the services write into the log, with what they fill in. */
const SENTENCES = [
  text("通过兑换码充值 {{amount}}，兑换码ID {{id}}"),
  text("通过礼品码充值 {{amount}}，兑换码ID {{id}}"),
  text("新用户注册赠送 {{amount}}"),
  text("系统初始化赠送 {{amount}}"),
  text("管理员将用户额度从 {{before}}修改为 {{after}}"),
  text("中继中断，按已结算费用入账"),
  text("中继中断，按预留结算"),
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

/** A log row's note in the language in use; a note that no service is known to write stays as it is. */
export function translateContent(content: string, t: TFunction): string {
  for (const { sentence, names, pattern } of PATTERNS) {
    const match = pattern.exec(content);
    if (match)
      return t(sentence, Object.fromEntries(names.map((name, index) => [name, readable(match[index + 1] ?? "")])));
  }
  return content;
}
