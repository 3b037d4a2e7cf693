import { ChevronDown, CircleDollarSign, Gauge, Trash2, Wrench } from "lucide-react";
import { useTranslation } from "react-i18next";
import { confirm } from "../../components/confirm.ts";
import { ActionMenu } from "../../components/data-table/actions/action-menu.tsx";
import { Button } from "../../components/ui/button.tsx";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import { startBalanceUpdates, startTests, deleteDisabledChannels, fixChannels } from "./channel-bulk-api.ts";
import { refreshChannels } from "../../domain/channels/channels-api.ts";

/** The menu of actions on all channels; the progress of tests and balances is shown above the list. */
export function ChannelsMenu() {
  const { t } = useTranslation();
  const finish = async (work: Promise<number>, message: (count: number) => string): Promise<void> => {
    await work.then((count) => notifySuccess(message(count)), notifyError);
    await refreshChannels();
  };
  const removeDisabled = async (): Promise<void> => {
    const sure = await confirm({
      title: t("删除全部禁用的渠道？"),
      description: t("包括手动禁用和自动禁用的渠道，一次最多 2000 个。"),
      action: t("删除"),
      danger: true,
      typed: t("删除"),
    });
    if (sure) await finish(deleteDisabledChannels(), (count) => t("已删除 {{count}} 个渠道", { count }));
  };
  const begin = (work: Promise<void>): void => void work.catch(notifyError);
  return (
    <ActionMenu
      trigger={
        <Button variant="outline">
          {t("全部渠道")}
          <ChevronDown />
        </Button>
      }
      actions={[
        { label: t("测试全部渠道"), icon: Gauge, onSelect: () => begin(startTests()) },
        { label: t("更新已启用渠道的余额"), icon: CircleDollarSign, onSelect: () => begin(startBalanceUpdates()) },
        {
          label: t("修复数据一致性"),
          icon: Wrench,
          onSelect: () => void finish(fixChannels(), (count) => t("已修复 {{count}} 个渠道", { count })),
        },
        { label: t("删除禁用的渠道"), icon: Trash2, danger: true, onSelect: () => void removeDisabled() },
      ]}
    />
  );
}
