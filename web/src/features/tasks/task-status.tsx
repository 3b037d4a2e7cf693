import { useTranslation } from "react-i18next";
import { StatusBadge, type StatusTone } from "../../components/status-badge.tsx";
import { text } from "../../lib/text/i18n-source.ts";

type State = { readonly label: string; readonly tone: StatusTone };

const STATES: Readonly<Record<string, State>> = {
  "": { label: text("正在提交"), tone: "neutral" },
  NOT_START: { label: text("未启动"), tone: "neutral" },
  SUBMITTED: { label: text("队列中"), tone: "warn" },
  QUEUED: { label: text("排队中"), tone: "warn" },
  IN_PROGRESS: { label: text("执行中"), tone: "info" },
  MODAL: { label: text("窗口等待"), tone: "warn" },
  SUCCESS: { label: text("成功"), tone: "good" },
  FAILURE: { label: text("失败"), tone: "bad" },
};

/** The status of an image task or another task; an unknown one is shown as unknown. */
export function TaskStatus({ status }: { readonly status: string }) {
  const { t } = useTranslation();
  const state = Object.hasOwn(STATES, status) ? STATES[status] : undefined;
  return (
    <StatusBadge dot tone={state?.tone ?? "neutral"} title={status}>
      {state ? t(state.label) : t("未知状态")}
    </StatusBadge>
  );
}
