import { create } from "zustand";

/** Whether the user who has just signed in should hear that their password is one that somebody else chose. */
export const usePasswordWarning = create<{ readonly isDue: boolean }>(() => ({ isDue: false }));
