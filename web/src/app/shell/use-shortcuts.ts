import { useEffect } from "react";
import { useSession } from "../../lib/session/session.ts";
import { usePalette } from "./palette-state.ts";

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Ctrl/⌘ K opens the palette, "/" focuses the page's search field, "?" lists the shortcuts. */
export function useShortcuts(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        if (!useSession.getState().user) return;
        event.preventDefault();
        usePalette.setState(({ open }) => ({ open: !open }));
        return;
      }
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!plain || isTyping(event.target)) return;
      if (event.key === "?" && useSession.getState().user) {
        usePalette.setState({ hasHelp: true });
        return;
      }
      if (event.key !== "/") return;
      const search = document.querySelector<HTMLInputElement>("[data-main-search]");
      if (!search) return;
      event.preventDefault();
      search.focus();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
