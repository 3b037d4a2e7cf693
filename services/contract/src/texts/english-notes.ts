/**
 * The sentences that the services write into the log and the ledger, and their English translations for the console.
 */
export const ENGLISH_NOTES: Readonly<Record<string, string>> = {
  "通过兑换码充值 {{amount}}，兑换码ID {{id}}": "Redeemed {{amount}} with code {{id}}",
  "通过礼品码充值 {{amount}}，兑换码ID {{id}}": "Redeemed {{amount}} with gift code {{id}}",
  "使用在线充值成功，充值金额: {{amount}}，支付金额：{{money}}，订单号 {{trade}}":
    "Topped up {{amount}} online, paid {{money}}, order {{trade}}",
  "管理员确认在线充值，充值金额: {{amount}}，支付金额：{{money}}，订单号 {{trade}}":
    "An administrator credited {{amount}}, paid {{money}}, order {{trade}}",
  "管理员为订单 {{trade}} 退款，扣除 {{amount}}，原因：{{reason}}":
    "An administrator refunded order {{trade}} and deducted {{amount}}: {{reason}}",
  "订单 {{trade}} 退款，收回返利": "Rebate revoked, order {{trade}} refunded",
  "订单 {{trade}} 退款": "Order {{trade}} refunded",
  新用户注册赠送: "Welcome gift",
  系统初始化赠送: "First-run gift",
  "用户签到，获得": "Check-in reward",
  使用邀请码赠送: "Gift for accepting an invitation",
  邀请额度转移到余额: "Invitation rewards moved to the balance",
  "邀请的用户 {{name}} 充值返利": "Rebate on a top-up of {{name}}",
  "任务 {{name}} 失败退还 {{amount}}": "Task {{name}} failed; {{amount}} refunded",
  "任务 {{task}} 失败退还": "Task {{task}} failed and was refunded",
  "管理员将用户额度从 {{before}}修改为 {{after}}，备注：{{note}}":
    "An administrator changed the balance from {{before}} to {{after}}: {{note}}",
  "管理员增加额度 {{amount}}，备注：{{note}}": "An administrator added {{amount}}: {{note}}",
  "管理员扣除额度 {{amount}}，备注：{{note}}": "An administrator deducted {{amount}}: {{note}}",
  "管理员增加额度 {{amount}}": "An administrator added {{amount}}",
  "管理员扣除额度 {{amount}}": "An administrator deducted {{amount}}",
  "管理员将用户额度从 {{before}}修改为 {{after}}": "An administrator changed the balance from {{before}} to {{after}}",
  "操作 {{action}}，任务 {{id}}": "{{action}}, task {{id}}",
  "中继中断，按已结算费用入账": "A relay stopped; charged at the settled cost",
  "中继中断，按预留结算": "A relay stopped; charged at its hold",
  "从 {{product}} 迁移": "Migrated from {{product}}",
};
