import { create } from "zustand";

type Created = { readonly name: string; readonly keys: readonly string[] };

/** Codes that were made a moment ago, until the dialog is closed. */
export const useCreatedRedemptionCodes = create<{ readonly created: Created | undefined }>(() => ({
  created: undefined,
}));
