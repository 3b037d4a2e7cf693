import { useTranslation } from "react-i18next";
import { copyText } from "../../../components/copy-text.ts";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "../../../components/ui/dialog.tsx";
import { notifySuccess } from "../../../lib/toast.ts";

type RecoveryCodesProps = { readonly codes: readonly string[]; readonly onClose: () => void };

/** Recovery codes for a sign-in without the authenticator. Shown only once. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesProps) {
  const { t } = useTranslation();
  const copy = async (): Promise<void> => {
    if (await copyText(codes.join("\n"))) notifySuccess(t("已复制"));
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-md" onInteractOutside={(event) => event.preventDefault()}>
        <DialogTitle>{t("恢复码")}</DialogTitle>
        <DialogDescription>
          {t("丢失验证设备时，用其中一个登录。每个只能用一次，只在这里显示一次，请妥善保存。")}
        </DialogDescription>
        <ul className="grid grid-cols-2 gap-2 rounded-lg bg-surface p-3 font-mono text-sm">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <DialogFooter>
          <Button variant="outline" onClick={() => void copy()}>
            {t("复制全部")}
          </Button>
          <Button onClick={onClose}>{t("我已保存")}</Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
