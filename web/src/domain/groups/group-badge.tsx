import { useTranslation } from "react-i18next";
import { formatRatio } from "../../lib/text/format.ts";
import { StatusBadge, type StatusTone } from "../../components/status-badge.tsx";

function ratioTone(ratio: number): StatusTone {
  if (ratio > 5) return "bad";
  if (ratio > 3) return "warn";
  return ratio > 1 ? "info" : "neutral";
}

/** A group's ratio, in the colours that operators know. */
export function RatioBadge({ ratio }: { readonly ratio: number }) {
  const { t } = useTranslation();
  return <StatusBadge tone={ratioTone(ratio)}>{t("{{ratio}} 倍", { ratio: formatRatio(ratio) })}</StatusBadge>;
}
