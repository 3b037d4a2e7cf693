import type { AuditEntry } from "@turnpike/contract/api/audit";
import { Undo2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../components/busy-button.tsx";
import { confirm } from "../../components/confirm.ts";
import { useBusy } from "../../hooks/use-busy.ts";
import { notifySuccess } from "../../lib/toast.ts";
import { restoreSettings } from "./audit-api.ts";
import { readSettingChange } from "./setting-restore.ts";

/** Undoes a change of settings; absent for other actions. */
export function RestoreButton({ entry }: { readonly entry: AuditEntry }) {
  const { t } = useTranslation();
  const [busy, run] = useBusy();
  const change = readSettingChange(entry);
  if (!change) return null;
  const restore = async (): Promise<void> => {
    const sure = await confirm({
      title: t("恢复为修改前的设置？"),
      description: Object.keys(change.after).join(", "),
      action: t("恢复"),
    });
    if (!sure) return;
    await restoreSettings(change);
    notifySuccess(t("已恢复为修改前的设置"));
  };
  return (
    <BusyButton variant="outline" size="sm" className="self-start" busy={busy} onClick={() => run(restore)}>
      <Undo2 />
      {t("恢复为修改前的设置")}
    </BusyButton>
  );
}
