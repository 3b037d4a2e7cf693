import { useState } from "react";
import { useTranslation } from "react-i18next";
import { runForEach } from "../lib/bulk.ts";
import { notifyError, notifySuccess } from "../lib/toast.ts";

/** Runs one action over the selected rows, says how many succeeded, and refreshes once at the end. */
export function useBulk(refresh: () => Promise<unknown>) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const run = async <Item>(items: readonly Item[], act: (item: Item) => Promise<unknown>): Promise<void> => {
    setBusy(true);
    const { done, firstError } = await runForEach(items, act);
    setBusy(false);
    if (done > 0) notifySuccess(t("已完成 {{done}} / {{total}} 项", { done, total: items.length }));
    if (firstError !== undefined) notifyError(firstError);
    await refresh();
  };
  return { busy, run };
}
