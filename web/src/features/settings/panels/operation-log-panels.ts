import { text } from "../../../lib/text/i18n-source.ts";
import type { SettingPanel } from "../section/setting-panel.ts";

/** What is logged, for how long, and where traces are. */
export const LOGS: SettingPanel = {
  id: "logs",
  title: text("日志"),
  description: text("记录什么，以及清除旧的日志。"),
  fields: [
    {
      key: "LogConsumeEnabled",
      label: text("记录每次调用"),
      help: text("关闭后，用户和管理员看不到单次调用的明细，统计不受影响。"),
    },
    { key: "LogErrorEnabled", label: text("记录失败的调用"), help: text("含被拒绝的，每用户每分钟最多 60 条。") },
    {
      key: "TraceUrlTemplate",
      label: text("链路追踪地址"),
      help: text("例如 https://traces.example.com/trace/{trace_id}，日志详情里会有指向它的链接。"),
    },
    {
      key: "LogRetentionDays",
      label: text("日志保留天数"),
      help: text("超过这个天数的调用记录会自动清除，0 表示一直保留。充值、签到、管理和系统记录、余额和统计不受影响。"),
    },
    {
      key: "LogChatContentEnabled",
      label: text("记录对话内容"),
      help: text("把提示词和回答存进日志，管理员可以看到。开启前请告知用户。"),
      confirmOn: {
        title: text("记录对话内容？"),
        description: text("用户的提示词和回答会保存在日志里，管理员都能看到。请先告知用户，并遵守当地的法律。"),
        action: text("记录"),
      },
    },
  ],
};
