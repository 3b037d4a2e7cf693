import { useRef } from "react";

/**
 * Runs one piece of work at a time: what is started while it is under way is dropped, however fast it comes. For what must not be
 * sent twice; a disabled button alone is too late for that, as it needs a render.
 */
export function useOnce(): (work: () => Promise<unknown>) => void {
  const underWay = useRef(false);
  return (work) => {
    if (underWay.current) return;
    underWay.current = true;
    void work().finally(() => {
      underWay.current = false;
    });
  };
}
