import { create } from "zustand";

/** Whether to warn the signed-in user that another user chose their password. */
export const usePasswordWarning = create<{ readonly isDue: boolean }>(() => ({ isDue: false }));
