import { useSyncExternalStore } from "react";

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (notify) => {
      const media = window.matchMedia(query);
      media.addEventListener("change", notify);
      return () => media.removeEventListener("change", notify);
    },
    () => window.matchMedia(query).matches,
  );
}

/** Below 600 px: no sidebar, tables are lists of cards, sheets are full screen. */
export const useIsPhone = (): boolean => useMedia("(max-width: 599.98px)");

/** Below 960 px: the sidebar shows icons only, unless the user expands it. */
export const useIsNarrow = (): boolean => useMedia("(max-width: 959.98px)");
