import { useState } from "react";
import { notifyError } from "../lib/toast.ts";
import { useOnce } from "./use-once.ts";

/** Whether work is in progress, and a function that starts it, once at a time; a failure is shown as a toast. */
export function useBusy(): readonly [boolean, (work: () => Promise<unknown>) => void] {
  const [isBusy, setBusy] = useState(false);
  const once = useOnce();
  const run = (work: () => Promise<unknown>): void => {
    once(async () => {
      setBusy(true);
      await work()
        .catch(notifyError)
        .finally(() => setBusy(false));
    });
  };
  return [isBusy, run];
}
