import type { UserProfile } from "@turnpike/contract/api/user";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { FieldFrame } from "../../components/form/field-frame.tsx";
import { MoneyInput } from "../../components/form/money-input.tsx";
import { useFormatMoney } from "../../components/money.tsx";
import { BusyButton } from "../../components/busy-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "../../components/ui/dialog.tsx";
import { useOnce } from "../../hooks/use-once.ts";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import { addQuota, refreshUsers, userQuery } from "../../domain/users/users-api.ts";

const PRESETS_DOLLARS = [1, 5, 10, 50, 100] as const;

type QuotaDialogProps = { readonly user: Pick<UserProfile, "id" | "username" | "quota">; readonly onClose: () => void };

/** Adds to a user's balance; a negative amount takes from it. */
export function QuotaDialog({ user, onClose }: QuotaDialogProps) {
  const { t } = useTranslation();
  const formatMoney = useFormatMoney();
  const once = useOnce();
  const [difference, setDifference] = useState(Number.NaN);
  const [tried, setTried] = useState(false);
  // Calls spend while the dialog is open.
  const balance = useQuery({ ...userQuery(user.id), refetchOnMount: "always" }).data?.quota ?? user.quota;
  const isWrong = Number.isNaN(difference) || difference === 0;
  const add = useMutation({
    mutationFn: () => addQuota(user.id, difference),
    onSuccess: () => {
      notifySuccess(t("已调整“{{name}}”的额度", { name: user.username }));
      onClose();
    },
    onError: notifyError,
    onSettled: refreshUsers,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    setTried(true);
    if (!isWrong) once(() => add.mutateAsync().catch(() => undefined));
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-md">
        <DialogTitle>{t("调整“{{name}}”的额度", { name: user.username })}</DialogTitle>
        <DialogDescription>{t("正数增加余额，负数减少余额。")}</DialogDescription>
        <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
          <FieldFrame label={t("增减的额度")} error={tried && isWrong ? t("请输入不为 0 的额度") : undefined}>
            {(control) => (
              <MoneyInput
                control={control}
                quota={difference}
                onQuotaChange={setDifference}
                presets={PRESETS_DOLLARS}
              />
            )}
          </FieldFrame>
          <p className="text-[13px] text-muted-foreground tabular-nums" aria-live="polite">
            {t("余额：{{before}} → {{after}}", {
              before: formatMoney(balance),
              after: formatMoney(balance + (isWrong ? 0 : difference)),
            })}
          </p>
          <DialogFooter>
            <Button variant="outline" onClick={onClose}>
              {t("取消")}
            </Button>
            <BusyButton type="submit" busy={add.isPending}>
              {t("确定")}
            </BusyButton>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
