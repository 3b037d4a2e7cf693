import { useTranslation } from "react-i18next";
import { StatusBadge, type StatusTone } from "../../../components/status-badge.tsx";
import { text } from "../../../lib/text/i18n-source.ts";

/** The kinds of credits. */
export const LEDGER_KINDS: readonly { readonly value: string; readonly label: string; readonly tone: StatusTone }[] = [
  { value: "top_up", label: text("在线充值"), tone: "good" },
  { value: "redemption", label: text("兑换码"), tone: "good" },
  { value: "gift", label: text("赠送"), tone: "info" },
  { value: "check_in", label: text("签到奖励"), tone: "info" },
  { value: "invitation", label: text("邀请奖励"), tone: "info" },
  { value: "rebate", label: text("返利"), tone: "info" },
  { value: "transfer", label: text("奖励划转"), tone: "neutral" },
  { value: "refund", label: text("退款"), tone: "bad" },
  { value: "admin", label: text("管理员调整"), tone: "warn" },
];

/** The kind of a credit. */
export function LedgerKind({ kind }: { readonly kind: string }) {
  const { t } = useTranslation();
  const known = LEDGER_KINDS.find(({ value }) => value === kind);
  return <StatusBadge tone={known?.tone ?? "neutral"}>{known ? t(known.label) : kind}</StatusBadge>;
}
