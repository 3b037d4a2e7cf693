import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { z } from "zod/mini";
import { FieldFrame } from "../../components/form/field-frame.tsx";
import { Notice } from "../../components/notice.tsx";
import { BusyButton } from "../../components/busy-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "../../components/ui/dialog.tsx";
import { Input } from "../../components/ui/input.tsx";
import { useSmallForm } from "../../hooks/use-small-form.ts";
import { describeError } from "../../lib/api/api-error.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { notifySuccess } from "../../lib/toast.ts";
import {
  countRedemptionCodesByName,
  deleteRedemptionCodesByName,
  refreshRedemptionCodes,
} from "./redemption-codes-api.ts";

const NameForm = z.object({ name: z.string().check(z.trim(), z.minLength(1, text("请输入名称"))) });

/** Deletes all codes with exactly one name: it shows their number first, then requests confirmation. */
export function DeleteByNameDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const form = useSmallForm(NameForm, { name: "" });
  const error = form.getError("name");
  const onError = (failure: unknown): void => form.showError("name", describeError(failure, t));
  const look = useMutation({ mutationFn: countRedemptionCodesByName, onError });
  const remove = useMutation({
    mutationFn: deleteRedemptionCodesByName,
    onSuccess: async (count) => {
      notifySuccess(t("已删除 {{count}} 个兑换码", { count }));
      await refreshRedemptionCodes();
      onClose();
    },
    onError,
  });
  // The number belongs to the name that it was requested for.
  const found =
    look.data !== undefined && look.variables === form.values.name.trim()
      ? { name: look.variables, count: look.data }
      : undefined;
  const mayDelete = found !== undefined && found.count > 0;
  const submit = form.submit(({ name }) => (mayDelete ? remove : look).mutateAsync(name).catch(() => undefined));
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-sm">
        <DialogTitle>{t("按名称删除")}</DialogTitle>
        <DialogDescription>{t("删除名称完全相同的全部兑换码，无论是否已使用。")}</DialogDescription>
        <form noValidate onSubmit={submit} className="flex flex-col gap-4">
          <FieldFrame label={t("名称")} error={error && t(error)}>
            {(control) => <Input {...control} {...form.field("name")} autoFocus autoComplete="off" />}
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
            <BusyButton
              type="submit"
              variant={mayDelete ? "destructive" : "default"}
              busy={look.isPending || remove.isPending}
            >
              {mayDelete ? t("删除这 {{count}} 个", { count: found.count }) : t("查询数量")}
            </BusyButton>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
