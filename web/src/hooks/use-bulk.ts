import { useState } from "react";
import { useTranslation } from "react-i18next";
import { runForEach } from "../lib/bulk.ts";
import { notifyError, notifySuccess } from "../lib/toast.ts";

type Options = {
  readonly refresh: () => Promise<unknown>;
  /** Takes the selection back, before anything is said: what is selected from then on belongs to the next action. */
  readonly clear: () => void;
};

/** Runs one action over the selected rows, says how many succeeded, and refreshes once at the end. */
export function useBulk({ refresh, clear }: Options) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const run = async <Item>(items: readonly Item[], act: (item: Item) => Promise<unknown>): Promise<void> => {
    setBusy(true);
    const { done, firstError } = await runForEach(items, act);
    setBusy(false);
    clear();
    if (done > 0) notifySuccess(t("已完成 {{done}} / {{total}} 项", { done, total: items.length }));
    if (firstError !== undefined) notifyError(firstError);
    await refresh();
  };
  return { busy, run };
}
