import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { FieldFrame } from "../../components/form/field-frame.tsx";
import { Notice } from "../../components/notice.tsx";
import { BusyButton } from "../../components/busy-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "../../components/ui/dialog.tsx";
import { Input } from "../../components/ui/input.tsx";
import { useOnce } from "../../hooks/use-once.ts";
import { describeError } from "../../lib/api-error.ts";
import { notifySuccess } from "../../lib/toast.ts";
import {
  countRedemptionCodesByName,
  deleteRedemptionCodesByName,
  refreshRedemptionCodes,
} from "./redemption-codes-api.ts";

/** How many codes have a name, as it was when asked. */
type Found = { readonly name: string; readonly count: number };

/** Deletes all codes of exactly one name: first it tells how many there are, then it asks. */
export function DeleteByNameDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const once = useOnce();
  const [name, setName] = useState("");
  const [found, setFound] = useState<Found>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    await work().catch((error: unknown) => setProblem(describeError(error, t)));
    setBusy(false);
  };
  const look = (wanted: string) => async (): Promise<void> =>
    setFound({ name: wanted, count: await countRedemptionCodesByName(wanted) });
  const remove = (wanted: string) => async (): Promise<void> => {
    notifySuccess(t("已删除 {{count}} 个兑换码", { count: await deleteRedemptionCodesByName(wanted) }));
    await refreshRedemptionCodes();
    onClose();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const wanted = name.trim();
    if (wanted === "") setProblem(t("请输入名称"));
    else once(() => attempt(found && found.count > 0 ? remove(found.name) : look(wanted)));
  };
  const mayDelete = found !== undefined && found.count > 0;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-sm">
        <DialogTitle>{t("按名称删除")}</DialogTitle>
        <DialogDescription>{t("删除名称完全相同的全部兑换码，无论是否已使用。")}</DialogDescription>
        <form noValidate onSubmit={submit} className="flex flex-col gap-4">
          <FieldFrame label={t("名称")} error={problem}>
            {(control) => (
              <Input
                {...control}
                autoFocus
                autoComplete="off"
                value={name}
                onChange={(event) => {
                  setName(event.target.value);
                  setFound(undefined);
                  setProblem(undefined);
                }}
              />
            )}
          </FieldFrame>
          {found && (
            <Notice tone={mayDelete ? "warn" : "info"}>
              {mayDelete
                ? t("找到 {{count}} 个名为“{{name}}”的兑换码。", found)
                : t("没有名为“{{name}}”的兑换码。", { name: found.name })}
            </Notice>
          )}
          <DialogFooter>
            <Button variant="outline" onClick={onClose}>
              {t("取消")}
            </Button>
            <BusyButton type="submit" variant={mayDelete ? "destructive" : "default"} busy={busy}>
              {mayDelete ? t("删除这 {{count}} 个", { count: found.count }) : t("查询数量")}
            </BusyButton>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
