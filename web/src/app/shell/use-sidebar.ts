import { useState } from "react";
import { useIsNarrow } from "../../hooks/use-media.ts";
import { useSiteStatus } from "../../lib/status.ts";
import { storage } from "../../lib/storage.ts";

const STORAGE_KEY = "sidebar-collapsed";

/** Whether the sidebar is collapsed: the user's choice, else the default for the site and the window's width. */
export function useSidebar(): { collapsed: boolean; toggle: () => void } {
  const status = useSiteStatus();
  const narrow = useIsNarrow();
  const [chosen, setChosen] = useState(() => storage.read(STORAGE_KEY));
  const collapsed = chosen === undefined ? narrow || status?.default_collapse_sidebar === true : chosen === "true";
  return {
    collapsed,
    toggle: () => {
      storage.write(STORAGE_KEY, String(!collapsed));
      setChosen(String(!collapsed));
    },
  };
}
