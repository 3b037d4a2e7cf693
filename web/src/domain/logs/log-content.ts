import { createNoteReader, splitAmount } from "@turnpike/contract/texts/note-reader";
import type { TFunction } from "i18next";
import { text } from "../../lib/text/i18n-source.ts";

/**
 * The sentences that the services write into the log and the ledger, with their values; in the log an amount may
 * follow.
 */
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
  text("管理员将用户额度从 {{before}}修改为 {{after}}，备注：{{note}}"),
  text("管理员增加额度 {{amount}}，备注：{{note}}"),
  text("管理员扣除额度 {{amount}}，备注：{{note}}"),
  text("管理员增加额度 {{amount}}"),
  text("管理员扣除额度 {{amount}}"),
  text("管理员将用户额度从 {{before}}修改为 {{after}}"),
  text("操作 {{action}}，任务 {{id}}"),
  text("任务 {{name}} 失败退还 {{amount}}"),
  text("任务 {{name}} 失败退还"),
  text("中继中断，按已结算费用入账"),
  text("中继中断，按预留结算"),
  text("从 {{product}} 迁移"),
] as const;

const readNote = createNoteReader(SENTENCES);

// An amount as the services write it, with a full-width dollar sign and the Chinese word for quota.
const AMOUNT = /^(\uff04?)(-?\d+(?:\.\d+)?) \u70b9?\u989d\u5ea6$/;

function readable(value: string): string {
  const amount = AMOUNT.exec(value);
  if (!amount) return value;
  const number = Number(amount[2]).toLocaleString("en-US", { maximumFractionDigits: 6 });
  return amount[1] === "" ? number : `$${number}`;
}

function translateSentence(content: string, t: TFunction): string | undefined {
  const read = readNote(content);
  if (!read) return undefined;
  return t(
    read.sentence,
    Object.fromEntries(Object.entries(read.values).map(([name, value]) => [name, readable(value)])),
  );
}

/**
 * A note of the log or the ledger in the current language; a note that matches no known sentence is returned unchanged.
 */
export function translateContent(content: string, t: TFunction): string {
  const whole = translateSentence(content, t);
  if (whole !== undefined) return whole;
  const split = splitAmount(content);
  const reason = split && translateSentence(split.start, t);
  return split && reason !== undefined
    ? t("{{reason}} {{amount}}", { reason, amount: readable(split.amount) })
    : content;
}
