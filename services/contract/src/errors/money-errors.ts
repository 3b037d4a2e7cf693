import {
  ABORTED,
  business,
  type ErrorRow,
  FAILED_PRECONDITION,
  INVALID_ARGUMENT,
  NOT_FOUND,
  UNAVAILABLE,
} from "./error-row.ts";

/** Errors of payments, orders, the ledger and prices; part of ERRORS. */
export const MONEY_ERRORS = {
  payment_not_configured: business(
    FAILED_PRECONDITION,
    "管理员未开启在线充值！",
    "The administrator has not switched on online top-up",
  ),
  payment_method_unknown: business(INVALID_ARGUMENT, "未知的支付方式 {{method}}", "Unknown payment method {{method}}"),
  payment_amount_too_small: business(
    INVALID_ARGUMENT,
    "充值数量不能小于 {{min}}",
    "The amount must not be less than {{min}}",
  ),
  payment_amount_too_large: business(INVALID_ARGUMENT, "充值金额过大", "The amount is too large"),
  payment_money_too_small: business(INVALID_ARGUMENT, "充值金额过低", "The sum to pay is too small"),
  payment_address_unknown: business(
    FAILED_PRECONDITION,
    "管理员未设置服务器地址，无法发起支付",
    "The administrator has not set the server's address, so nothing can be paid",
  ),
  payment_provider_failed: {
    grpc: UNAVAILABLE,
    http: 200,
    zh: "拉起支付失败，请稍后重试",
    en: "The payment could not be started, please try again later",
  },
  order_not_found: business(NOT_FOUND, "订单不存在", "No such order"),
  order_not_refundable: business(
    FAILED_PRECONDITION,
    "只有已支付且未退款的订单可以退款",
    "Only orders that are paid and not refunded can be refunded",
  ),
  refund_quota_invalid: business(
    INVALID_ARGUMENT,
    "退款额度必须大于0且不超过订单额度 {{max}}",
    "The refunded quota must be above 0 and at most the order's, {{max}}",
  ),
  refund_reason_required: business(INVALID_ARGUMENT, "请输入退款原因", "Please enter the reason of the refund"),
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
} as const satisfies Record<string, ErrorRow>;
