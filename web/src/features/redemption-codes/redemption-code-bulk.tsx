import type { Redemption } from "@turnpike/contract/api/redemption";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { confirm } from "../../components/confirm.ts";
import { copyText } from "../../components/copy-text.ts";
import { BusyButton } from "../../components/busy-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { useBulk } from "../../hooks/use-bulk.ts";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import { downloadText } from "../../lib/download.ts";
import { deleteRedemptionCode, disableRedemptionCodes, refreshRedemptionCodes } from "./redemption-codes-api.ts";

type RedemptionCodeBulkActionsProps = { readonly rows: readonly Redemption[]; readonly clear: () => void };

/** Actions on several codes at once. */
export function RedemptionCodeBulkActions({ rows, clear }: RedemptionCodeBulkActionsProps) {
  const { t } = useTranslation();
  const { busy, run } = useBulk({ refresh: refreshRedemptionCodes, clear });
  const [disabling, setDisabling] = useState(false);
  const text = rows.map(({ key }) => key).join("\n");
  const copy = (): void => void copyText(text).then((copied) => copied && notifySuccess(t("已复制")));
  const disable = async (): Promise<void> => {
    setDisabling(true);
    const ids = rows.map(({ id }) => id);
    await disableRedemptionCodes(ids).then(
      (count) => notifySuccess(t("已禁用 {{count}} 个兑换码", { count })),
      notifyError,
    );
    setDisabling(false);
    clear();
    await refreshRedemptionCodes();
  };
  const remove = async (): Promise<void> => {
    const sure = await confirm({
      title: t("删除所选的 {{count}} 个兑换码？", { count: rows.length }),
      action: t("删除"),
      danger: true,
      typed: String(rows.length),
    });
    if (sure) await run(rows, ({ id }) => deleteRedemptionCode(id));
  };
  return (
    <>
      <Button variant="outline" size="sm" onClick={copy}>
        {t("复制兑换码")}
      </Button>
      <Button variant="outline" size="sm" onClick={() => downloadText(rows[0]?.name ?? "codes", text)}>
        {t("下载")}
      </Button>
      <BusyButton variant="outline" size="sm" busy={busy || disabling} onClick={() => void disable()}>
        {t("禁用")}
      </BusyButton>
      <BusyButton variant="outline" size="sm" busy={busy} className="text-destructive" onClick={() => void remove()}>
        {t("删除")}
      </BusyButton>
    </>
  );
}
