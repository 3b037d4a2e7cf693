import { create } from "zustand";

type Created = { readonly name: string; readonly keys: readonly string[] };

/** New codes, until the dialog is closed. */
export const useCreatedRedemptionCodes = create<{ readonly created: Created | undefined }>(() => ({
  created: undefined,
}));
