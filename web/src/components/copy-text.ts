import { create } from "zustand";

/** The text to copy by hand. */
export const useManualCopy = create<{
  readonly value: string | undefined;
  readonly show: (value: string | undefined) => void;
}>((set) => ({ value: undefined, show: (value) => set({ value }) }));

/**
 * Copies text to the clipboard; where the browser forbids that, shows it for copying by hand. Returns whether it was
 * copied.
 */
export async function copyText(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    useManualCopy.getState().show(value);
    return false;
  }
}
