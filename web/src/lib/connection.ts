import { create } from "zustand";

/** Whether the gateway can be reached. The api client writes it, the bar at the top reads it. */
export const useConnection = create<{ readonly unreachable: boolean; readonly report: (reached: boolean) => void }>(
  (set, get) => ({
    unreachable: false,
    report: (reached) => {
      if (get().unreachable === reached) set({ unreachable: !reached });
    },
  }),
);
