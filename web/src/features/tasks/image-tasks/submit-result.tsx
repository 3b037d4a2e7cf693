import { useTranslation } from "react-i18next";
import { StatusBadge, type StatusTone } from "../../../components/status-badge.tsx";
import { text } from "../../../lib/text/i18n-source.ts";

const RESULTS: Readonly<Record<number, { readonly label: string; readonly tone: StatusTone }>> = {
  0: { label: text("未提交"), tone: "neutral" },
  1: { label: text("已提交"), tone: "good" },
  21: { label: text("等待中"), tone: "info" },
  22: { label: text("重复提交"), tone: "warn" },
};

/** The upstream's response to an image task's submission. */
export function SubmitResult({ code }: { readonly code: number }) {
  const { t } = useTranslation();
  const result = RESULTS[code];
  return (
    <StatusBadge tone={result?.tone ?? "bad"} title={String(code)}>
      {result ? t(result.label) : t("被拒绝（{{code}}）", { code })}
    </StatusBadge>
  );
}
