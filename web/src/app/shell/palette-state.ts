import { create } from "zustand";

type PaletteState = {
  readonly open: boolean;
  /** Whether the list of shortcuts is open. */
  readonly hasHelp: boolean;
  readonly setOpen: (open: boolean) => void;
};

/** Whether the command palette is open, or the list of shortcuts. */
export const usePalette = create<PaletteState>((set) => ({
  open: false,
  hasHelp: false,
  setOpen: (open) => set({ open }),
}));
