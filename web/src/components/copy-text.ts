import { create } from "zustand";

/** What is to be copied by hand. */
export const useManualCopy = create<{
  readonly value: string | undefined;
  readonly show: (value: string | undefined) => void;
}>((set) => ({ value: undefined, show: (value) => set({ value }) }));

/** Puts text on the clipboard; where the browser forbids that, shows it to be copied by hand. Answers whether it was copied. */
export async function copyText(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    useManualCopy.getState().show(value);
    return false;
  }
}
