import { LoaderCircle } from "lucide-react";
import { useTranslation } from "react-i18next";

/** The placeholder while a page's code loads. */
export function PagePending() {
  const { t } = useTranslation();
  return (
    <div role="status" className="flex justify-center py-24 text-muted-foreground">
      <LoaderCircle className="size-5 animate-spin" aria-hidden />
      <span className="sr-only">{t("加载中…")}</span>
    </div>
  );
}
