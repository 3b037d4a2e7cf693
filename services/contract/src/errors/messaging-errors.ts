import { business, type ErrorRow, FAILED_PRECONDITION, INVALID_ARGUMENT, NOT_FOUND, UNAVAILABLE } from "./error-row.ts";

/** Errors of messages, mail and webhooks; part of ERRORS. */
export const MESSAGING_ERRORS = {
  message_not_found: business(NOT_FOUND, "消息不存在", "The message does not exist"),
  message_title_required: business(INVALID_ARGUMENT, "请输入消息标题", "Please enter a title"),
  message_content_required: business(INVALID_ARGUMENT, "请输入消息内容", "Please enter a text"),
  message_content_unsafe: business(
    INVALID_ARGUMENT,
    "消息内容在清除不安全的 HTML 后为空",
    "The text is empty after unsafe HTML is removed",
  ),
  message_format_unsupported: business(
    INVALID_ARGUMENT,
    "不支持 {{format}} 格式的消息，请使用 markdown 或 html",
    "Messages in {{format}} are not supported, please use markdown or html",
  ),
  message_recipients_required: business(
    INVALID_ARGUMENT,
    "请选择至少一个收件人",
    "Please choose at least one recipient",
  ),
  message_recipient_unknown: business(INVALID_ARGUMENT, "收件人 {{ids}} 不存在", "The recipients {{ids}} do not exist"),
  date_range_invalid: business(
    INVALID_ARGUMENT,
    "日期无效，请使用 unix 秒、YYYY-MM-DD 或 RFC 3339 格式，且开始不晚于结束",
    "The dates are not valid: use unix seconds, YYYY-MM-DD or RFC 3339, the start not after the end",
  ),
  mail_not_configured: business(
    FAILED_PRECONDITION,
    "管理员尚未配置邮件服务器",
    "The administrator has not set up a mail server",
  ),
  mail_address_invalid: business(INVALID_ARGUMENT, "邮箱地址无效", "The e-mail address is not valid"),
  mail_send_failed: business(UNAVAILABLE, "邮件发送失败：{{detail}}", "The mail could not be sent: {{detail}}"),
  webhook_url_required: business(INVALID_ARGUMENT, "请填写 Webhook 地址", "Please enter the webhook's address"),
  webhook_address_refused: business(
    INVALID_ARGUMENT,
    "Webhook 地址指向内网或保留地址，已被拒绝",
    "The webhook's address is private or reserved and is refused",
  ),
  webhook_failed: business(UNAVAILABLE, "Webhook 调用失败：{{detail}}", "The webhook call failed: {{detail}}"),
} as const satisfies Record<string, ErrorRow>;
