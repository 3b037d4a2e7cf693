import { QUOTA_NOTE_LENGTH_MAX, type UserProfile } from "@turnpike/contract/api/user";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod/mini";
import { FieldFrame } from "../../components/form/field-frame.tsx";
import { MoneyField } from "../../components/form/money-field.tsx";
import { useFormatMoney } from "../../components/money.tsx";
import { BusyButton } from "../../components/busy-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Checkbox } from "../../components/ui/checkbox.tsx";
import { Input } from "../../components/ui/input.tsx";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "../../components/ui/dialog.tsx";
import { useSmallForm } from "../../hooks/use-small-form.ts";
import { newActionId } from "../../lib/api/action-id.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { notifySuccess } from "../../lib/toast.ts";
import { addQuota, refreshUsers, userQuery } from "../../domain/users/users-api.ts";

const QUOTA_PROBLEM = text("请输入不为 0 的额度");

const QuotaForm = z.object({
  quota: z.number(QUOTA_PROBLEM).check(z.refine((quota) => quota !== 0, QUOTA_PROBLEM)),
  // The input has the contract's limit of the note.
  note: z.string().check(z.trim()),
  allowNegative: z.boolean(),
});
type Values = z.infer<typeof QuotaForm>;

const PRESETS_DOLLARS = [1, 5, 10, 50, 100] as const;

type QuotaDialogProps = { readonly user: Pick<UserProfile, "id" | "username" | "quota">; readonly onClose: () => void };

/** Adds to a user's balance; a negative amount deducts. */
export function QuotaDialog({ user, onClose }: QuotaDialogProps) {
  const { t } = useTranslation();
  const formatMoney = useFormatMoney();
  const form = useSmallForm(QuotaForm, { quota: Number.NaN, note: "", allowNegative: false });
  const { quota: difference } = form.values;
  const noteError = form.getError("note");
  // Calls may spend while the dialog is open.
  const balance = useQuery({ ...userQuery(user.id), refetchOnMount: "always" }).data?.quota ?? user.quota;
  const isWrong = Number.isNaN(difference) || difference === 0;
  const isOverdrawn = !isWrong && difference < 0 && balance + difference < 0;
  // A repeat after a response that was lost changes nothing; another amount is another change.
  const [actionId] = useState(newActionId);
  const add = useMutation({
    mutationFn: ({ quota: amount, note, allowNegative }: Values) =>
      addQuota(user.id, {
        amount,
        note,
        allowNegative: isOverdrawn && allowNegative,
        actionId: `${actionId}:${amount}`,
      }),
    onSuccess: () => {
      notifySuccess(t("已调整“{{name}}”的额度", { name: user.username }));
      onClose();
    },
    onError: (error) => form.fail(error),
    onSettled: refreshUsers,
  });
  const submit = form.submit((values) => add.mutateAsync(values).catch(() => undefined));
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-md">
        <DialogTitle>{t("调整“{{name}}”的额度", { name: user.username })}</DialogTitle>
        <DialogDescription>{t("正数增加余额，负数减少余额。")}</DialogDescription>
        <form
          noValidate
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            // The dialog can be inside the form of the user's editor.
            event.stopPropagation();
            submit(event);
          }}
        >
          <MoneyField control={form.control} name="quota" label={t("增减的额度")} presets={PRESETS_DOLLARS} />
          <FieldFrame
            label={t("备注")}
            help={t("可不填。用户会在账单和日志里看到。")}
            error={noteError && t(noteError)}
          >
            {(control) => <Input {...control} {...form.field("note")} maxLength={QUOTA_NOTE_LENGTH_MAX} />}
          </FieldFrame>
          <p className="text-[13px] text-muted-foreground tabular-nums" aria-live="polite">
            {t("余额：{{before}} → {{after}}", {
              before: formatMoney(balance),
              after: formatMoney(balance + (isWrong ? 0 : difference)),
            })}
          </p>
          {isOverdrawn && (
            <label className="flex items-center gap-2 text-sm">
              <Checkbox
                checked={form.values.allowNegative}
                onCheckedChange={(checked) => form.set("allowNegative", checked === true)}
              />
              {t("允许余额变为负数")}
            </label>
          )}
          <DialogFooter>
            <Button variant="outline" onClick={onClose}>
              {t("取消")}
            </Button>
            <BusyButton type="submit" busy={add.isPending} disabled={isOverdrawn && !form.values.allowNegative}>
              {isWrong
                ? t("确定")
                : difference < 0
                  ? t("扣除 {{amount}}", { amount: formatMoney(-difference) })
                  : t("增加 {{amount}}", { amount: formatMoney(difference) })}
            </BusyButton>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
