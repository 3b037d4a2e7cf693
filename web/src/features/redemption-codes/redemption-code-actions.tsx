import type { Redemption } from "@turnpike/contract/api/redemption";
import { useNavigate } from "@tanstack/react-router";
import { Ban, CircleCheck, Copy, Pencil, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { confirm } from "../../components/confirm.ts";
import { copyText } from "../../components/copy-text.ts";
import type { RowAction } from "../../components/data-table/actions/row-action.ts";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import { isSpent } from "./redemption-code-state.tsx";
import { REDEMPTION_CODE_STATUS } from "./redemption-code-status.ts";
import { deleteRedemptionCode, refreshRedemptionCodes, setRedemptionCodeStatus } from "./redemption-codes-api.ts";

/** The actions of one code; a used code can only be copied and deleted. */
export function useRedemptionCodeActions(): (redemptionCode: Redemption) => readonly RowAction[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const finish = (work: Promise<unknown>, message: string): void => {
    void work.then(() => notifySuccess(message), notifyError).then(refreshRedemptionCodes);
  };
  const remove = async ({ id, name }: Redemption): Promise<void> => {
    const sure = await confirm({
      title: t("删除兑换码“{{name}}”（ID {{id}}）？", { name, id }),
      action: t("删除"),
      danger: true,
    });
    if (sure) finish(deleteRedemptionCode(id), t("已删除“{{name}}”", { name }));
  };
  return (redemptionCode) => {
    const { id, name } = redemptionCode;
    const enabled = redemptionCode.status === REDEMPTION_CODE_STATUS.unused;
    const status = enabled ? REDEMPTION_CODE_STATUS.disabled : REDEMPTION_CODE_STATUS.unused;
    const done = enabled ? t("已禁用“{{name}}”", { name }) : t("已启用“{{name}}”", { name });
    return [
      {
        label: t("编辑"),
        icon: Pencil,
        frequent: true,
        disabled: isSpent(redemptionCode),
        onSelect: () => void navigate({ to: "/admin/coupons/$id", params: { id: String(id) }, search: true }),
      },
      {
        label: enabled ? t("禁用") : t("启用"),
        icon: enabled ? Ban : CircleCheck,
        frequent: true,
        disabled: isSpent(redemptionCode),
        onSelect: () => finish(setRedemptionCodeStatus(id, status), done),
      },
      {
        label: t("复制兑换码"),
        icon: Copy,
        onSelect: () => void copyText(redemptionCode.key).then((copied) => copied && notifySuccess(t("已复制"))),
      },
      { label: t("删除"), icon: Trash2, danger: true, onSelect: () => void remove(redemptionCode) },
    ];
  };
}
