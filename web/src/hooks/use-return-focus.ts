import { useCallback, useRef } from "react";

/** The element that lost the focus last: a field with autofocus takes it before its dialog announces that it opens. */
let left: EventTarget | null = null;
document.addEventListener("focusout", ({ target }) => (left = target), true);

/** False for a tab that is not open: the focus would open it, which the dialog may just have confirmed. */
const mayTakeFocus = (element: HTMLElement): boolean =>
  element.getAttribute("role") !== "tab" || element.getAttribute("aria-selected") === "true";

/** What had the focus before a dialog opened; for an item of a menu, which closes, the menu's own button. */
function findOpener(dialog: HTMLElement): HTMLElement | undefined {
  const { activeElement } = document;
  const isInside = dialog.contains(activeElement);
  const active = isInside && left instanceof Element ? left : activeElement;
  const menu = active?.closest("[role=menu]");
  const opener = menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : active;
  return opener instanceof HTMLElement && opener !== document.body ? opener : undefined;
}

/**
 * Gives the focus back to what had it when a dialog or sheet opened, or to the page's content where that was removed. Dialogs
 * that are opened by an address or a state have no trigger that would get it. The first handler is the ref of the dialog's
 * element, the second its `onCloseAutoFocus`.
 */
export function useReturnFocus() {
  const opener = useRef<HTMLElement | undefined>(undefined);
  const noteOpener = useCallback((dialog: HTMLElement | null): void => {
    if (dialog) opener.current = findOpener(dialog);
  }, []);
  const onCloseAutoFocus = (event: Event): void => {
    const known = opener.current;
    if (known?.isConnected === true && mayTakeFocus(known)) {
      event.preventDefault();
      known.focus({ preventScroll: true });
      return;
    }
    // The dialog's own trigger gets the focus, where it has one; a sheet below that closes too has given it back already.
    queueMicrotask(() => {
      const { activeElement } = document;
      if (activeElement === null || activeElement === document.body) document.getElementById("main")?.focus();
    });
  };
  return [noteOpener, onCloseAutoFocus] as const;
}
