import type { ComponentProps, ReactElement } from "react";
import { TextSearch, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { confirm } from "../../components/confirm.ts";
import { ActionMenu } from "../../components/data-table/actions/action-menu.tsx";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import { deleteDisabledRedemptionCodes, refreshRedemptionCodes } from "./redemption-codes-api.ts";

type RedemptionCodesMenuContentProps = {
  readonly trigger: ReactElement<ComponentProps<"button">>;
  readonly onDeleteByName: () => void;
};

/** Ways to delete codes. */
export function RedemptionCodesMenuContent({ trigger, onDeleteByName }: RedemptionCodesMenuContentProps) {
  const { t } = useTranslation();
  const removeDisabled = async (): Promise<void> => {
    const sure = await confirm({
      title: t("删除全部已禁用和已使用的兑换码？"),
      description: t("已到账的余额不受影响，此操作无法撤销。"),
      action: t("删除"),
      danger: true,
      typed: t("删除"),
    });
    if (!sure) return;
    await deleteDisabledRedemptionCodes().then(
      (count) => notifySuccess(t("已删除 {{count}} 个兑换码", { count })),
      notifyError,
    );
    await refreshRedemptionCodes();
  };
  return (
    <ActionMenu
      trigger={trigger}
      actions={[
        { label: t("按名称删除"), icon: TextSearch, danger: true, onSelect: onDeleteByName },
        {
          label: t("删除已禁用和已使用的"),
          icon: Trash2,
          danger: true,
          onSelect: () => void removeDisabled(),
        },
      ]}
    />
  );
}
