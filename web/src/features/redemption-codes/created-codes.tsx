import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import { copyText } from "../../components/copy-text.ts";
import { Button } from "../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "../../components/ui/dialog.tsx";
import { Textarea } from "../../components/ui/textarea.tsx";
import { notifySuccess } from "../../lib/toast.ts";
import { downloadText } from "../../lib/download.ts";
import { useCreatedRedemptionCodes } from "./created-codes-state.ts";

/** Shows new codes, to copy or to save as a text file. */
export function CreatedRedemptionCodesDialog() {
  const { t } = useTranslation();
  const { created } = useCreatedRedemptionCodes();
  const content = created?.keys.join("\n") ?? "";
  const close = (): void => useCreatedRedemptionCodes.setState({ created: undefined });
  return (
    <Dialog open={created !== undefined} onOpenChange={(open) => !open && close()}>
      <DialogContent>
        <DialogTitle>{t("已创建 {{count}} 个兑换码", { count: created?.keys.length ?? 0 })}</DialogTitle>
        <DialogDescription>{t("可以下载为文本文件，每行一个。")}</DialogDescription>
        <Textarea
          readOnly
          rows={Math.min(10, Math.max(3, created?.keys.length ?? 0))}
          className="font-mono text-[13px]"
          aria-label={t("兑换码")}
          value={content}
        />
        <DialogFooter>
          <Button
            variant="outline"
            onClick={() => void copyText(content).then((copied) => copied && notifySuccess(t("已复制")))}
          >
            {t("复制全部")}
          </Button>
          <Button onClick={() => downloadText(created?.name ?? "codes", content)}>
            <Download />
            {t("下载")}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
