import { useBlocker } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { confirm } from "../confirm.ts";

/** Requests confirmation before unsaved changes are lost, by any way: Back, a link, Esc, closing the tab. */
export function useUnsavedGuard(isDirty: boolean): void {
  const { t } = useTranslation();
  useBlocker({
    shouldBlockFn: async () => {
      if (!isDirty) return false;
      return !(await confirm({
        title: t("放弃未保存的修改？"),
        description: t("离开后，刚才填写的内容不会保留。"),
        action: t("放弃修改"),
        danger: true,
      }));
    },
    enableBeforeUnload: () => isDirty,
  });
}
