import { useTranslation } from "react-i18next";
import { BusyButton } from "../../../components/busy-button.tsx";
import { Notice } from "../../../components/notice.tsx";
import { useBusy } from "../../../hooks/use-busy.ts";
import { currentLanguage } from "../../../lib/text/i18n.ts";
import type { PriceSection } from "./use-price-section.ts";

/** What happened to an edit of prices that another administrator has changed, and the ways on. */
export function PriceConflictNotice({ section }: { readonly section: PriceSection }) {
  const { t } = useTranslation();
  const [isBusy, run] = useBusy();
  const { conflict } = section;
  if (conflict.state === "none" || section.changed.length === 0) return null;
  if (conflict.state === "merged") {
    const { names } = conflict;
    if (names.length === 0) return <Notice tone="info">{t("已载入最新价格并保留您的修改，请检查后保存。")}</Notice>;
    const list = new Intl.ListFormat(currentLanguage(), { type: "conjunction" }).format(names);
    return <Notice tone="warn">{t("以下价格别人也改过，保存后以您的为准：{{names}}", { names: list })}</Notice>;
  }
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-lg border border-destructive/40 p-3">
      <Notice tone="bad" className="flex-1 basis-60">
        {t("价格已被其他管理员修改，您的修改没有保存。")}
      </Notice>
      <BusyButton size="sm" variant="outline" busy={isBusy} onClick={() => run(section.merge)}>
        {t("载入最新价格并保留我的修改")}
      </BusyButton>
    </div>
  );
}
