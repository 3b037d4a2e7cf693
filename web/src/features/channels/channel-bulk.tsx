import type { Channel } from "@turnpike/contract/api/channel";
import { CHANNEL_STATUS } from "@turnpike/contract/limits";
import { useTranslation } from "react-i18next";
import { confirm } from "../../components/confirm.ts";
import { Button } from "../../components/ui/button.tsx";
import { useBulk } from "../../hooks/use-bulk.ts";
import { deleteChannel, refreshChannels, testChannel, updateChannel } from "./channels-api.ts";

type ChannelBulkActionsProps = { readonly rows: readonly Channel[]; readonly clear: () => void };

/** What can be done with several channels at once. */
export function ChannelBulkActions({ rows, clear }: ChannelBulkActionsProps) {
  const { t } = useTranslation();
  const { busy, run } = useBulk(refreshChannels);
  const act = (work: (channel: Channel) => Promise<unknown>): void => void run(rows, work).then(clear);
  const remove = async (): Promise<void> => {
    const sure = await confirm({
      title: t("删除所选的 {{count}} 个渠道？", { count: rows.length }),
      description: rows.map(({ name }) => name).join(", "),
      action: t("删除"),
      danger: true,
      typed: String(rows.length),
    });
    if (sure) act(({ id }) => deleteChannel(id));
  };
  return (
    <>
      <Button size="small" busy={busy} onClick={() => act(({ id }) => testChannel(id))}>
        {t("测试")}
      </Button>
      <Button
        size="small"
        busy={busy}
        onClick={() => act(({ id }) => updateChannel({ id, status: CHANNEL_STATUS.enabled }))}
      >
        {t("启用")}
      </Button>
      <Button
        size="small"
        busy={busy}
        onClick={() => act(({ id }) => updateChannel({ id, status: CHANNEL_STATUS.disabled }))}
      >
        {t("禁用")}
      </Button>
      <Button size="small" busy={busy} className="text-bad" onClick={() => void remove()}>
        {t("删除")}
      </Button>
    </>
  );
}
