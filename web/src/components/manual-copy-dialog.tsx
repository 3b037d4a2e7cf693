import { useTranslation } from "react-i18next";
import { useManualCopy } from "./copy-text.ts";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "./ui/dialog.tsx";
import { Textarea } from "./ui/textarea.tsx";

/** Shows the text that `copyText` could not copy. Loaded on first use. */
export function ManualCopyDialog() {
  const { t } = useTranslation();
  const { value, show } = useManualCopy();
  return (
    <Dialog open={value !== undefined} onOpenChange={(open) => !open && show(undefined)}>
      <DialogContent>
        <DialogTitle>{t("无法复制到剪贴板，请手动复制")}</DialogTitle>
        <DialogDescription>{t("浏览器不允许本页面写入剪贴板。")}</DialogDescription>
        <Textarea
          readOnly
          rows={6}
          className="font-mono text-[13px]"
          value={value ?? ""}
          aria-label={t("要复制的内容")}
          onFocus={(event) => event.currentTarget.select()}
        />
      </DialogContent>
    </Dialog>
  );
}
