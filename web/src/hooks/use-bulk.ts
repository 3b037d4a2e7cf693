import { useState } from "react";
import { useTranslation } from "react-i18next";
import { runForEach } from "../lib/bulk.ts";
import { notifyError, notifySuccess, notifyUndoable } from "../lib/toast.ts";

type Options = {
  readonly refresh: () => Promise<unknown>;
  /** Clears the selection before anything is shown: a later selection belongs to the next action. */
  readonly clear: () => void;
};

type Act<Item> = (item: Item) => Promise<unknown>;

/** Undoes a bulk action where it succeeded; throws the first error. */
async function undoAll<Item>(items: readonly Item[], undo: Act<Item>, refresh: Options["refresh"]): Promise<void> {
  const { firstError } = await runForEach(items, undo);
  await refresh();
  if (firstError !== undefined) throw firstError;
}

/**
 * Runs one action over the selected rows, shows how many succeeded, and refetches once at the end. An action that loses
 * nothing names its opposite, `undo`.
 */
export function useBulk({ refresh, clear }: Options) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const run = async <Item>(items: readonly Item[], act: Act<Item>, undo?: Act<Item>): Promise<void> => {
    setBusy(true);
    const { succeeded, firstError } = await runForEach(items, act);
    setBusy(false);
    clear();
    const message = t("已完成 {{done}} / {{total}} 项", { done: succeeded.length, total: items.length });
    if (succeeded.length > 0) {
      if (undo) notifyUndoable(message, () => undoAll(succeeded, undo, refresh));
      else notifySuccess(message);
    }
    if (firstError !== undefined) notifyError(firstError);
    await refresh();
  };
  return { busy, run };
}
