import { LOG_TYPE } from "@turnpike/contract/codes";
import type { StatusTone } from "../../components/status-badge.tsx";
import { text } from "../../lib/text/i18n-source.ts";

/** The kinds of log rows. */
export const LOG_TYPES: readonly { readonly value: number; readonly label: string; readonly tone: StatusTone }[] = [
  { value: LOG_TYPE.consume, label: text("消费"), tone: "info" },
  { value: LOG_TYPE.topUp, label: text("充值"), tone: "good" },
  { value: LOG_TYPE.manage, label: text("管理"), tone: "warn" },
  { value: LOG_TYPE.system, label: text("系统"), tone: "neutral" },
  { value: LOG_TYPE.checkIn, label: text("签到"), tone: "good" },
  { value: LOG_TYPE.error, label: text("错误"), tone: "bad" },
];
