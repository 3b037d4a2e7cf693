import { useRef } from "react";

/**
 * Runs one action at a time: a start during a run is dropped. For actions that must not be sent twice; a disabled
 * button alone is too late for that, because it needs a render.
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
