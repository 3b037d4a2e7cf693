import {
  ABORTED,
  FAILED_PRECONDITION,
  INVALID_ARGUMENT,
  NOT_FOUND,
  PERMISSION_DENIED,
  UNAVAILABLE,
  business,
  type ErrorRow,
} from "./error-row.ts";

/** Errors of payments, orders, the ledger and prices; part of ERRORS. */
export const MONEY_ERRORS = {
  payment_not_configured: business(
    FAILED_PRECONDITION,
    "暂未开通在线充值，请联系管理员。",
    "Online top-up is not available yet. Contact the administrator.",
  ),
  payment_method_unknown: business(INVALID_ARGUMENT, "未知的支付方式 {{method}}", "Unknown payment method {{method}}"),
  payment_amount_too_small: business(
    INVALID_ARGUMENT,
    "充值数量不能小于 {{min}}",
    "The amount must not be less than {{min}}",
  ),
  payment_amount_too_large: business(INVALID_ARGUMENT, "充值金额过大", "The amount is too large"),
  payment_money_too_small: business(INVALID_ARGUMENT, "充值金额过低", "The amount to pay is too small"),
  payment_address_unknown: business(
    FAILED_PRECONDITION,
    "管理员未设置服务器地址，无法发起支付",
    "The administrator has not set the server's address, so payment is not possible",
  ),
  payment_provider_failed: {
    grpc: UNAVAILABLE,
    http: 200,
    zh: "拉起支付失败，请稍后重试",
    en: "The payment could not be started, please try again later",
  },
  order_not_found: business(NOT_FOUND, "订单不存在", "The order does not exist"),
  order_not_refundable: business(
    FAILED_PRECONDITION,
    "只有已支付且未退款的订单可以退款",
    "Only orders that are paid and not refunded can be refunded",
  ),
  order_not_open: business(FAILED_PRECONDITION, "订单已到账或已关闭", "The order is credited or closed already"),
  settle_quota_invalid: business(
    INVALID_ARGUMENT,
    "到账额度必须大于0且不超过 {{max}}",
    "The credited quota must be above 0 and at most {{max}}",
  ),
  payment_query_failed: {
    grpc: UNAVAILABLE,
    http: 200,
    zh: "支付平台没有给出可用的答复：{{detail}}",
    en: "The payment provider returned no usable response: {{detail}}",
  },
  refund_quota_invalid: business(
    INVALID_ARGUMENT,
    "退款额度必须大于0且不超过订单额度 {{max}}",
    "The refunded quota must be above 0 and at most {{max}}, the quota of the order",
  ),
  refund_reason_required: business(INVALID_ARGUMENT, "请输入原因", "Please enter the reason"),
  month_invalid: business(
    INVALID_ARGUMENT,
    "月份格式错误，应为 YYYY-MM",
    "The month is not valid, it should be YYYY-MM",
  ),
  prices_changed: business(
    ABORTED,
    "价格已被其他人修改，请检查后重新保存",
    "The prices have changed since they were read; check them and save again",
  ),
  catalogue_unknown_source: business(INVALID_ARGUMENT, "未知的价格目录来源", "Unknown source of a price catalogue"),
  catalogue_unreadable: business(
    INVALID_ARGUMENT,
    "价格目录在 {{path}} 处无法读取：{{detail}}",
    "The price catalogue cannot be read at {{path}}: {{detail}}",
  ),
  catalogue_unreachable: business(
    UNAVAILABLE,
    "无法获取价格目录：{{detail}}",
    "The price catalogue could not be fetched: {{detail}}",
  ),
  ratio_config_disabled: {
    grpc: PERMISSION_DENIED,
    http: 403,
    zh: "倍率配置接口未启用",
    en: "This site does not publish its ratios",
  },
  catalogue_unconfirmed: business(
    FAILED_PRECONDITION,
    "这些模型的价格变化超过 {{factor}} 倍，需要再次确认：{{models}}",
    "The prices of these models change by more than {{factor}} times and need a second confirmation: {{models}}",
  ),
} as const satisfies Record<string, ErrorRow>;
