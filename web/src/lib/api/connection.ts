import { create } from "zustand";

/** Whether the gateway is reachable. The API client writes it, the connection bar reads it. */
export const useConnection = create<{ readonly unreachable: boolean; readonly report: (reached: boolean) => void }>(
  (set, get) => ({
    unreachable: false,
    report: (reached) => {
      if (get().unreachable === reached) set({ unreachable: !reached });
    },
  }),
);
