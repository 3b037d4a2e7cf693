import type { AdminMessage } from "@turnpike/contract/api/message";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../components/busy-button.tsx";
import { confirm } from "../../components/confirm.ts";
import { useBulk } from "../../hooks/use-bulk.ts";
import { deleteMessage, refreshMessages } from "./messages-api.ts";

type MessageBulkActionsProps = { readonly rows: readonly AdminMessage[]; readonly clear: () => void };

/** Deletes several messages at once, after their number is typed. */
export function MessageBulkActions({ rows, clear }: MessageBulkActionsProps) {
  const { t } = useTranslation();
  const { busy, run } = useBulk({ refresh: refreshMessages, clear });
  const remove = async (): Promise<void> => {
    const sure = await confirm({
      title: t("删除所选的 {{count}} 条消息？", { count: rows.length }),
      description: rows.map(({ title }) => title).join(", "),
      action: t("删除"),
      danger: true,
      typed: String(rows.length),
    });
    if (sure) await run(rows, ({ id }) => deleteMessage(id));
  };
  return (
    <BusyButton variant="outline" size="sm" busy={busy} className="text-destructive" onClick={() => void remove()}>
      {t("删除")}
    </BusyButton>
  );
}
