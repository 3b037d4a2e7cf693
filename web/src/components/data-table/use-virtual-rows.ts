import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useState } from "react";
import { flushSync } from "react-dom";

/** Up to this many rows are all rendered; of more, only those in sight. */
export const VIRTUAL_ABOVE = 100;
const ROW_HEIGHT = 40;
const OVERSCAN = 12;

/** Whether the page is being printed: paper shows every row. */
function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    // The browser takes its picture when the handler returns, so the rows are rendered within it.
    const start = (): void => flushSync(() => setPrinting(true));
    const end = (): void => setPrinting(false);
    window.addEventListener("beforeprint", start);
    window.addEventListener("afterprint", end);
    return () => {
      window.removeEventListener("beforeprint", start);
      window.removeEventListener("afterprint", end);
    };
  }, []);
  return isPrinting;
}

/** Which rows of a long table are rendered, by TanStack Virtual; undefined where all of them are. */
export function useVirtualRows(
  count: number,
  scroller: RefObject<HTMLElement | null>,
  getKey: (index: number) => string,
) {
  const isPrinting = useIsPrinting();
  const enabled = count > VIRTUAL_ABOVE && !isPrinting;
  // The rule warns of memoized components; the virtualizer is read in this render alone.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count,
    enabled,
    getScrollElement: () => scroller.current,
    getItemKey: getKey,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  });
  if (!enabled) return undefined;
  const items = virtualizer.getVirtualItems();
  return {
    items,
    measure: virtualizer.measureElement,
    before: items[0]?.start ?? 0,
    after: virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0),
  };
}
