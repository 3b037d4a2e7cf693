import type { TFunction } from "i18next";
import { text } from "../../lib/text/i18n-source.ts";

/** The areas of actions, by the first half of their name. */
export const AUDIT_AREAS: Readonly<Record<string, string>> = {
  user: text("用户"),
  channel: text("渠道"),
  redemption: text("兑换码"),
  order: text("订单"),
  option: text("设置"),
  message: text("消息"),
  log: text("日志"),
};

const VERBS: Readonly<Record<string, string>> = {
  create: text("新建"),
  update: text("修改"),
  update_with_password: text("修改资料和密码"),
  delete: text("删除"),
  delete_by_name: text("按名称删除"),
  delete_disabled: text("删除已禁用的"),
  batch_disable: text("批量禁用"),
  set: text("修改"),
  quota: text("调整额度"),
  promote: text("提升为管理员"),
  demote: text("降为普通用户"),
  disable: text("禁用"),
  enable: text("启用"),
  deregister: text("注销"),
  refund: text("退款"),
  settle: text("确认到账"),
  return: text("退回付款"),
  access_token: text("生成系统访问令牌"),
  clear_two_factor: text("关闭两步验证"),
};

/** The display name of an action; its own name when this console does not know it. */
export function auditLabel(t: TFunction, action: string): string {
  const [area = "", verb = ""] = action.split(".");
  const known = AUDIT_AREAS[area];
  const did = VERBS[verb];
  return known === undefined || did === undefined ? action : `${t(known)} · ${t(did)}`;
}
